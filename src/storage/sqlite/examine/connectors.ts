import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { StoredConnector, StoredCredential } from '../../../core/connectors/store.ts';
import { STATE_FILE } from '../../files/names.ts';
import { toConnector } from '../connectors.ts';
import { toCredential } from '../credentials.ts';
import type { StateTables } from '../schema.ts';
import { examineSqlite, hasTable } from './examine.ts';

/** An object of a tenant; `tenant` is its name. */
interface OfTenant {
  tenantId: string;
  tenant: string;
}
export type FoundConnector = OfTenant & { connector: StoredConnector };
export type FoundCredential = OfTenant & { credential: StoredCredential };

export interface FoundConnectors {
  /** By tenant and slug. */
  connectors: FoundConnector[];
  /** By tenant and name. */
  credentials: FoundCredential[];
}

/** The connectors and credentials of every tenant; empty without a database. Changes nothing. */
export async function examineConnectors(directory: string): Promise<FoundConnectors> {
  const found = await examineSqlite(join(directory, STATE_FILE), {
    thorough: false,
    mustHoldSomething: () => false,
    read: (database) => ({
      connectors: rowsOf(database, 'connectors', 'slug').map((row) => ({
        ...ownerOf(row),
        connector: toConnector(row),
      })),
      credentials: rowsOf(database, 'credentials', 'name').map((row) => ({
        ...ownerOf(row),
        credential: toCredential(row),
      })),
    }),
  });
  return found ?? { connectors: [], credentials: [] };
}

function rowsOf<Table extends 'connectors' | 'credentials'>(database: Database, table: Table, order: string) {
  if (!hasTable(database, table)) return [];
  const rows = database.prepare<[], StateTables[Table] & { tenant: string }>(
    `SELECT ${table}.*, tenants.name AS tenant FROM ${table} JOIN tenants ON tenants.id = tenant_id
     ORDER BY tenants.name, ${table}.${order}`,
  );
  return rows.all();
}

function ownerOf({ tenant_id: tenantId, tenant }: { tenant_id: string; tenant: string }): OfTenant {
  return { tenantId, tenant };
}
