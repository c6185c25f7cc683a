import type { StoredConnector, StoredCredential } from '../../../core/agents/connectors/store.ts';
import type { StoredModelProvider } from '../../../core/agents/providers/store.ts';
import { toConnector } from './connectors.ts';
import { toCredential } from './credentials.ts';
import { toModelProvider } from './providers.ts';
import type { StateTables } from './schema.ts';

interface OfTenant {
  tenantId: string;
  tenant: string;
}

export type FoundConnector = OfTenant & { connector: StoredConnector };
export type FoundCredential = OfTenant & { credential: StoredCredential };
export type FoundProvider = OfTenant & { provider: StoredModelProvider };

/** What `doctor` reads of the state, in a file or in PostgreSQL. */
export interface ExaminedRows {
  connectors: FoundConnector[];
  credentials: FoundCredential[];
  providers: FoundProvider[];
  /**
   * The sealed targets of deliveries that wait, of alerts and of digests, and other sealed secrets.
   */
  sealedTexts: string[];
}

/**
 * Statements that both engines understand, each with its table, which an older release may not
 * have.
 */
export const EXAMINING = {
  connectors: ['connectors', ofTenants('connectors', 'slug')],
  credentials: ['credentials', ofTenants('credentials', 'name')],
  providers: ['providers', ofTenants('providers', 'name')],
  deliveries: ['deliveries', "SELECT target AS sealed FROM deliveries WHERE state = 'waiting'"],
  alerts: ['alerts', 'SELECT targets AS sealed FROM alerts WHERE targets IS NOT NULL'],
  digests: ['digests', 'SELECT targets AS sealed FROM digests WHERE targets IS NOT NULL'],
  totps: ['totp_factors', 'SELECT sealed FROM totp_factors'],
  logins: [
    'identity_providers',
    'SELECT sealed_secret AS sealed FROM identity_providers WHERE sealed_secret IS NOT NULL',
  ],
} as const satisfies Record<string, readonly [table: string, statement: string]>;

type WithTenant<Table extends keyof StateTables> = StateTables[Table] & { tenant: string };
type Sealed = { sealed: string }[];

/** The rows of each statement. */
export type ReadRows = Record<'deliveries' | 'alerts' | 'digests' | 'totps' | 'logins', Sealed> & {
  connectors: WithTenant<'connectors'>[];
  credentials: WithTenant<'credentials'>[];
  providers: WithTenant<'providers'>[];
};

export function examinedRows(rows: ReadRows): ExaminedRows {
  const { connectors, credentials, providers, deliveries, alerts, digests, totps, logins } = rows;
  return {
    connectors: connectors.map((row) => ({ ...tenantOf(row), connector: toConnector(row) })),
    credentials: credentials.map((row) => ({ ...tenantOf(row), credential: toCredential(row) })),
    providers: providers.map((row) => ({ ...tenantOf(row), provider: toModelProvider(row) })),
    sealedTexts: [deliveries, alerts, digests, totps, logins].flat().map(({ sealed }) => sealed),
  };
}

function ofTenants(table: 'connectors' | 'credentials' | 'providers', key: 'slug' | 'name'): string {
  return `SELECT ${table}.*, tenants.name AS tenant FROM ${table} JOIN tenants ON tenants.id = tenant_id
    ORDER BY tenants.name, ${table}.${key}`;
}

function tenantOf({ tenant_id: tenantId, tenant }: { tenant_id: string; tenant: string }): OfTenant {
  return { tenantId, tenant };
}
