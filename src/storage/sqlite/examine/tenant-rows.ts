import { join } from 'node:path';
import type { StoredConnector, StoredCredential } from '../../../core/connectors/store.ts';
import type { StoredProvider } from '../../../core/providers/store.ts';
import { STATE_FILE } from '../../files/names.ts';
import { toConnector } from '../../sql/connectors.ts';
import { toCredential } from '../../sql/credentials.ts';
import { toProvider } from '../../sql/providers.ts';
import type { StateTables } from '../../sql/schema.ts';
import { examineSqlite, hasTable } from './examine.ts';

interface OfTenant {
  tenantId: string;
  tenant: string;
}

export type FoundConnector = OfTenant & { connector: StoredConnector };
export type FoundCredential = OfTenant & { credential: StoredCredential };
export type FoundProvider = OfTenant & { provider: StoredProvider };

export function examineConnectors(directory: string): Promise<FoundConnector[]> {
  return examineTenantRows(directory, 'connectors', 'slug', (row) => ({ connector: toConnector(row) }));
}

export function examineCredentials(directory: string): Promise<FoundCredential[]> {
  return examineTenantRows(directory, 'credentials', 'name', (row) => ({ credential: toCredential(row) }));
}

export function examineProviders(directory: string): Promise<FoundProvider[]> {
  return examineTenantRows(directory, 'providers', 'name', (row) => ({ provider: toProvider(row) }));
}

const SEALED_TEXTS = {
  deliveries: "SELECT target FROM deliveries WHERE state = 'waiting'",
  alerts: 'SELECT targets FROM alerts WHERE targets IS NOT NULL',
  digests: 'SELECT targets FROM digests WHERE targets IS NOT NULL',
  totp_factors: 'SELECT sealed FROM totp_factors',
};

/** The sealed targets of deliveries that wait, of alerts and of digests, and the secrets of authenticator apps. */
export async function examineSealedTexts(directory: string): Promise<string[]> {
  const targets = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) =>
      Object.entries(SEALED_TEXTS).flatMap(([table, query]) =>
        hasTable(database, table) ? database.prepare<[], string>(query).pluck().all() : [],
      ),
  });
  return targets ?? [];
}

async function examineTenantRows<Table extends 'connectors' | 'credentials' | 'providers', Item>(
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
