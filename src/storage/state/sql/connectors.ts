import { sql } from 'kysely';
import type {
  ConnectorStore,
  CredentialStore,
  StoredConnector,
  StoredCredential,
} from '../../../core/agents/connectors/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf, greater } from './dialect.ts';
import { NamedRows } from './named-rows.ts';
import { fromRow, toRow } from './rows.ts';
import { violationAsResult } from './violations.ts';

type ConnectorRow = StateTables['connectors'];

export class SqlConnectorStore extends NamedRows<ConnectorRow, StoredConnector> implements ConnectorStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'connectors',
      key: 'slug',
      updated: ['name', 'definition', 'has_tools'],
      // Increases whatever the clock says: callers detect stale copies with it.
      updatedAt: greater(sql`excluded.updated_at`, sql`connectors.updated_at + 1`),
      toItem: toConnector,
      toRow: toConnectorRow,
    });
  }

  override async find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null> {
    const stamp = (await this.stamp(tenantId, 'slug', slugOrName)) ?? (await this.stamp(tenantId, 'name', slugOrName));
    if (!stamp) return null;
    const { slug, created_at: createdAt, updated_at: updatedAt } = stamp;
    if (known?.slug === slug && known.createdAt === createdAt && known.updatedAt === updatedAt) return known;
    return super.find(tenantId, slug);
  }

  async replace(
    tenantId: string,
    connector: StoredConnector,
    seen: StoredConnector | null,
  ): Promise<'put' | 'stale' | 'unknown tenant'> {
    const row = toConnectorRow(tenantId, connector);
    const { name, definition, has_tools, updated_at } = row;
    const changed = seen
      ? this.database
          .updateTable('connectors')
          .set({ name, definition, has_tools, updated_at })
          .where('tenant_id', '=', tenantId)
          .where('slug', '=', connector.slug)
          .where('created_at', '=', seen.createdAt)
          .where('updated_at', '=', seen.updatedAt)
          .returning('slug')
          .executeTakeFirst()
      : this.database
          .insertInto('connectors')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'slug']).doNothing())
          .returning('slug')
          .executeTakeFirst();
    const result = await violationAsResult(changed, { 'foreign key': 'unknown tenant' } as const);
    if (result === 'unknown tenant') return result;
    return result ? 'put' : 'stale';
  }

  async names(tenantId: string): Promise<{ slug: string; name: string }[]> {
    const ofTenant = this.database.selectFrom('connectors').select(['slug', 'name']).where('tenant_id', '=', tenantId);
    return ofTenant.orderBy('slug').execute();
  }

  async listedCredentials(tenantId: string): Promise<{ slug: string; credential: string }[]> {
    const { elements, jsonArray } = dialectOf(this.database);
    const listed = elements(sql.ref('definition'), 'credentials');
    const { rows } = await sql<{ slug: string; listed: string }>`
      SELECT slug, ${jsonArray}(value) AS listed FROM connectors, ${listed}
      WHERE tenant_id = ${tenantId} ORDER BY slug`.execute(this.database);
    return rows.map((row) => ({ slug: row.slug, credential: JSON.parse(row.listed)[0] }));
  }

  async withTools(tenantId: string): Promise<string[]> {
    const ofTenant = this.database.selectFrom('connectors').select('slug').where('tenant_id', '=', tenantId);
    return (await ofTenant.where('has_tools', '=', 1).orderBy('slug').execute()).map(({ slug }) => slug);
  }

  private stamp(tenantId: string, column: 'slug' | 'name', value: string) {
    return this.database
      .selectFrom('connectors')
      .select(['slug', 'created_at', 'updated_at'])
      .where('tenant_id', '=', tenantId)
      .where(column, '=', value)
      .orderBy('slug')
      .limit(1)
      .executeTakeFirst();
  }
}

export function toConnector({ tenant_id: _, name: __, has_tools: ___, ...row }: ConnectorRow): StoredConnector {
  return { ...fromRow(row), definition: JSON.parse(row.definition) };
}

function toConnectorRow(tenantId: string, { definition, ...connector }: StoredConnector): ConnectorRow {
  return {
    ...toRow(connector),
    tenant_id: tenantId,
    name: definition.name,
    definition: JSON.stringify(definition),
    has_tools: Object.values(definition.resources).some(({ exposeAsTool }) => exposeAsTool) ? 1 : 0,
  };
}

type CredentialRow = StateTables['credentials'];

export class SqlCredentialStore extends NamedRows<CredentialRow, StoredCredential> implements CredentialStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'credentials',
      key: 'name',
      updated: ['username', 'sealed', 'hosts'],
      toItem: toCredential,
      toRow: toCredentialRow,
    });
  }

  async create(tenantId: string, credential: StoredCredential): Promise<'put' | 'duplicate' | 'unknown tenant'> {
    const created = this.database
      .insertInto('credentials')
      .values(toCredentialRow(tenantId, credential))
      .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
      .returning('name')
      .executeTakeFirst();
    const result = await violationAsResult(created, { 'foreign key': 'unknown tenant' } as const);
    if (result === 'unknown tenant') return result;
    return result ? 'put' : 'duplicate';
  }

  async touch(tenantId: string, name: string, at: number): Promise<void> {
    const update = this.database.updateTable('credentials').set({ last_used_at: at });
    await update.where('tenant_id', '=', tenantId).where('name', '=', name).execute();
  }
}

export function toCredential({ tenant_id: _, ...row }: CredentialRow): StoredCredential {
  return { ...fromRow(row), hosts: JSON.parse(row.hosts) as string[] };
}

function toCredentialRow(tenantId: string, credential: StoredCredential): CredentialRow {
  return { ...toRow(credential), tenant_id: tenantId, hosts: JSON.stringify(credential.hosts) };
}
