import { join } from 'node:path';
import { STATE_FILE } from '../../../installation/names.ts';
import type { StoreIdentity } from '../../../installation/unusable.ts';
import { refuseNewer } from '../migrations/newer.ts';
import { examineSqlite, hasTable } from './examine.ts';
import type { Forms } from './rows.ts';

export interface StateFound {
  tenants: number;
  /** Neither revoked nor expired. */
  keys: number;
}

const FORMS: Forms = {
  api_keys: { scopes: 'json', secret_hash: 'sha256' },
  audit_log: { details: 'json' },
  connectors: { definition: 'json' },
  credentials: { hosts: 'json' },
  deliveries: { body: 'json' },
  dashboard_cards: { config: 'json', grid_layout: 'json' },
  executions: { usage: 'json', chat: 'json' },
  oauth_clients: { metadata: 'json' },
  oauth_grants: { scopes: 'json' },
  oauth_records: { content: 'json', id_hash: 'sha256' },
  providers: { definition: 'json' },
  reviews: { tags: 'json' },
  users: { metadata: 'json' },
};

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
        refuseNewer(
          path,
          database.prepare<[], string>('SELECT name FROM kysely_migration ORDER BY name').pluck().all(),
        );
      }
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
