import { join } from 'node:path';
import { STATE_FILE } from '../../../installation/names.ts';
import type { StoreIdentity } from '../../../installation/unusable.ts';
import { type ExaminedRows, examineRows } from '../../sql/examined.ts';
import { ALL_TABLES } from '../../tables.ts';
import { refuseOtherVersion } from '../schema.ts';
import { examineSqlite, type Forms, hasTable } from './examine.ts';

export interface StateFound {
  tenants: number;
  /** Neither revoked nor expired. */
  keys: number;
}

const FORMS: Forms = Object.fromEntries(
  ALL_TABLES.map(([table, { json = [], sha256 = [] }]) => [
    table,
    Object.fromEntries([...json.map((column) => [column, 'json']), ...sha256.map((column) => [column, 'sha256'])]),
  ]),
);

export function examineState(
  directory: string,
  options: {
    thorough: boolean;
    mustHoldSomething: () => Promise<boolean> | boolean;
    identity?: StoreIdentity | undefined;
    onProgress?: (share: number) => void;
  },
): Promise<StateFound | null> {
  const path = join(directory, STATE_FILE);
  return examineSqlite(path, {
    ...options,
    forms: FORMS,
    read: (database) => {
      if (hasTable(database, 'kysely_migration')) {
        refuseOtherVersion(
          path,
          database.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all(),
        );
      }
      const count = (sql: string) => database.prepare<[], { count: number }>(sql).get()?.count ?? 0;
      if (!hasTable(database, 'api_keys') || !hasTable(database, 'delivery_messages')) return { tenants: 0, keys: 0 };
      return {
        tenants: count('SELECT count(*) AS count FROM tenants'),
        keys: count(
          `SELECT count(*) AS count FROM api_keys WHERE revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${Date.now()})`,
        ),
      };
    },
  });
}

/** Nothing without a file, and of a file of an older version, which is refused elsewhere. */
export async function examineStateRows(directory: string): Promise<ExaminedRows> {
  const rows = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) =>
      examineRows((statement) => (hasTable(database, 'delivery_messages') ? database.prepare(statement).all() : [])),
  });
  return rows ?? examineRows(() => []);
}
