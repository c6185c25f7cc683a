import { sql } from 'kysely';
import type { ConnectorStore, StoredConnector } from '../../../core/agents/connectors/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { greater } from './dialect.ts';
import { NamedRows } from './named-rows.ts';

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
      toRow,
    });
  }

  override async find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null> {
    const stamp = (await this.stamp(tenantId, 'slug', slugOrName)) ?? (await this.stamp(tenantId, 'name', slugOrName));
    if (!stamp) return null;
    const { slug, created_at: createdAt, updated_at: updatedAt } = stamp;
    if (known?.slug === slug && known.createdAt === createdAt && known.updatedAt === updatedAt) return known;
    return super.find(tenantId, slug);
  }

  async names(tenantId: string): Promise<{ slug: string; name: string }[]> {
    const ofTenant = this.database.selectFrom('connectors').select(['slug', 'name']).where('tenant_id', '=', tenantId);
    return ofTenant.orderBy('slug').execute();
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

export function toConnector(row: ConnectorRow): StoredConnector {
  const { slug, definition, created_by: createdBy, created_at: createdAt, updated_at: updatedAt } = row;
  return {
    slug,
    definition: JSON.parse(definition) as StoredConnector['definition'],
    createdBy,
    createdAt,
    updatedAt,
  };
}

function toRow(tenantId: string, connector: StoredConnector): ConnectorRow {
  const { slug, definition, createdBy, createdAt, updatedAt } = connector;
  return {
    tenant_id: tenantId,
    slug,
    name: definition.name,
    definition: JSON.stringify(definition),
    has_tools: Object.values(definition.resources).some(({ exposeAsTool }) => exposeAsTool) ? 1 : 0,
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
