import { join } from 'node:path';
import { STATE_FILE } from '../files.ts';
import { examineSqlite, hasTable } from './examine.ts';

export interface StateFound {
  tenants: number;
  /** Neither revoked nor expired. */
  keys: number;
}

/** Looks at the state database without changing it. `mustHoldSomething`: events were stored, so there are tenants. */
export function examineState(
  directory: string,
  options: { thorough: boolean; mustHoldSomething: () => Promise<boolean> | boolean },
): Promise<StateFound | null> {
  return examineSqlite(join(directory, STATE_FILE), {
    ...options,
    read: (database) => {
      const count = (sql: string) => database.prepare<[], { count: number }>(sql).get()?.count ?? 0;
      if (!hasTable(database, 'api_keys') || !hasTable(database, 'tenants')) return { tenants: 0, keys: 0 };
      return {
        tenants: count('SELECT count(*) AS count FROM tenants'),
        keys: count(
          `SELECT count(*) AS count FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${Date.now()})`,
        ),
      };
    },
  });
}
