import { join } from 'node:path';
import type { StoredProvider } from '../../../core/providers/store.ts';
import { STATE_FILE } from '../../files/names.ts';
import { toProvider } from '../providers.ts';
import type { StateTables } from '../schema.ts';
import { examineSqlite, hasTable } from './examine.ts';

export interface FoundProvider {
  tenantId: string;
  /** Its name. */
  tenant: string;
  provider: StoredProvider;
}

/** The providers of every tenant, by tenant and name; empty without a database. Changes nothing. */
export async function examineProviders(directory: string): Promise<FoundProvider[]> {
  const found = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) => {
      if (!hasTable(database, 'providers')) return [];
      const rows = database.prepare<[], StateTables['providers'] & { tenant: string }>(
        `SELECT providers.*, tenants.name AS tenant FROM providers JOIN tenants ON tenants.id = tenant_id
         ORDER BY tenants.name, providers.name`,
      );
      return rows.all().map((row) => ({ tenantId: row.tenant_id, tenant: row.tenant, provider: toProvider(row) }));
    },
  });
  return found ?? [];
}
