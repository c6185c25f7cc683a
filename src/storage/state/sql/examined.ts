import type { StoredConnector, StoredCredential } from '../../../core/agents/connectors/store.ts';
import type { StoredModelProvider } from '../../../core/agents/providers/store.ts';
import type { StateTables } from '../schema/types.ts';
import { SEALED_TABLES } from '../tables.ts';
import { toConnector, toCredential } from './connectors.ts';
import { toModelProvider } from './providers.ts';

interface OfTenant {
  tenantId: string;
  tenant: string;
}

export type FoundConnector = OfTenant & { connector: StoredConnector };
export type FoundCredential = OfTenant & { credential: StoredCredential };
export type FoundProvider = OfTenant & { provider: StoredModelProvider };

/** The rows of the state that `doctor` reads, from a file or from PostgreSQL. */
export interface ExaminedRows {
  connectors: FoundConnector[];
  credentials: FoundCredential[];
  providers: FoundProvider[];
  /** The sealed texts of other tables: targets that are still needed, and secrets of logins. */
  sealedTexts: string[];
}

const KEYS = { connectors: 'slug', credentials: 'name', providers: 'name' } as const;

type WithTenant<Name extends keyof StateTables> = StateTables[Name] & { tenant: string };

/** `all` gives the rows of a statement that both databases understand. */
export async function examineRows(all: (statement: string) => Promise<unknown[]> | unknown[]): Promise<ExaminedRows> {
  const withTenants = async <Name extends keyof typeof KEYS>(table: Name) =>
    (await all(`SELECT ${table}.*, tenants.name AS tenant FROM ${table} JOIN tenants ON tenants.id = tenant_id
      ORDER BY tenants.name, ${table}.${KEYS[table]}`)) as WithTenant<Name>[];
  const sealed: string[] = [];
  for (const { table, column, hasSecret } of SEALED_TABLES) {
    if (table in KEYS) continue;
    const rows = (await all(`SELECT ${column} AS sealed FROM ${table} WHERE ${hasSecret}`)) as { sealed: string }[];
    sealed.push(...rows.map((row) => row.sealed));
  }
  const [connectors, credentials, providers] = [
    await withTenants('connectors'),
    await withTenants('credentials'),
    await withTenants('providers'),
  ];
  return {
    connectors: connectors.map(({ tenant, ...row }) => ({ ...ofTenant(row, tenant), connector: toConnector(row) })),
    credentials: credentials.map(({ tenant, ...row }) => ({ ...ofTenant(row, tenant), credential: toCredential(row) })),
    providers: providers.map(({ tenant, ...row }) => ({ ...ofTenant(row, tenant), provider: toModelProvider(row) })),
    sealedTexts: sealed,
  };
}

function ofTenant({ tenant_id: tenantId }: { tenant_id: string }, tenant: string): OfTenant {
  return { tenantId, tenant };
}
