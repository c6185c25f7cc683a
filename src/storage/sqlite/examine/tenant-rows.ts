import { join } from 'node:path';
import { STATE_FILE } from '../../files/names.ts';
import type { StateTables } from '../schema.ts';
import { examineSqlite, hasTable } from './examine.ts';

export interface OfTenant {
  tenantId: string;
  tenant: string;
}

export async function examineTenantRows<Table extends 'connectors' | 'credentials' | 'providers', Item>(
  directory: string,
  table: Table,
  key: 'slug' | 'name',
  toItem: (row: StateTables[Table]) => Item,
): Promise<(OfTenant & Item)[]> {
  const rows = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) => {
      if (!hasTable(database, table)) return [];
      const statement = database.prepare<[], StateTables[Table] & { tenant: string }>(
        `SELECT ${table}.*, tenants.name AS tenant FROM ${table} JOIN tenants ON tenants.id = tenant_id
         ORDER BY tenants.name, ${table}.${key}`,
      );
      return statement.all();
    },
  });
  return (rows ?? []).map((row) => ({ tenantId: row.tenant_id, tenant: row.tenant, ...toItem(row) }));
}
