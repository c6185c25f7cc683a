import { sql } from 'kysely';
import type { ConnectorStore, StoredConnector } from '../../core/connectors/store.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';
import { refusable } from './statements.ts';

export class SqliteConnectorStore implements ConnectorStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async find(tenantId: string, slugOrName: string, known?: StoredConnector): Promise<StoredConnector | null> {
    const stamp = (await this.stamp(tenantId, 'slug', slugOrName)) ?? (await this.stamp(tenantId, 'name', slugOrName));
    if (!stamp) return null;
    const { slug, created_at: createdAt, updated_at: updatedAt } = stamp;
    if (known?.slug === slug && known.createdAt === createdAt && known.updatedAt === updatedAt) return known;
    const row = await this.database
      .selectFrom('connectors')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('slug', '=', slug)
      .executeTakeFirst();
    return row ? toConnector(row) : null;
  }

  async list(tenantId: string): Promise<StoredConnector[]> {
    const ofTenant = this.database.selectFrom('connectors').selectAll().where('tenant_id', '=', tenantId);
    return (await ofTenant.orderBy('slug').execute()).map(toConnector);
  }

  async names(tenantId: string): Promise<{ slug: string; name: string }[]> {
    const ofTenant = this.database.selectFrom('connectors').select(['slug', 'name']).where('tenant_id', '=', tenantId);
    return ofTenant.orderBy('slug').execute();
  }

  async withTools(tenantId: string): Promise<string[]> {
    const ofTenant = this.database.selectFrom('connectors').select('slug').where('tenant_id', '=', tenantId);
    return (await ofTenant.where('has_tools', '=', 1).orderBy('slug').execute()).map(({ slug }) => slug);
  }

  async put(tenantId: string, connectors: StoredConnector[]): Promise<'put' | 'unknown tenant'> {
    const putAll = this.database.transaction().execute(async (transaction) => {
      for (const connector of connectors) {
        const { updated_at, ...values } = toRow(tenantId, connector);
        const { name, definition, has_tools } = values;
        const later = sql<number>`max(${updated_at}, connectors.updated_at + 1)`;
        await transaction
          .insertInto('connectors')
          .values({ ...values, updated_at })
          .onConflict((conflict) =>
            conflict.columns(['tenant_id', 'slug']).doUpdateSet({ name, definition, has_tools, updated_at: later }),
          )
          .execute();
      }
      return 'put' as const;
    });
    return refusable(putAll, { SQLITE_CONSTRAINT_FOREIGNKEY: 'unknown tenant' } as const);
  }

  async remove(tenantId: string, slug: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('connectors')
      .where('tenant_id', '=', tenantId)
      .where('slug', '=', slug)
      .executeTakeFirst();
    return result.numDeletedRows === 1n;
  }

  /** By what one is known for the same, without its definition. */
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

export function toConnector(row: StateTables['connectors']): StoredConnector {
  const { slug, definition, created_by: createdBy, created_at: createdAt, updated_at: updatedAt } = row;
  return {
    slug,
    definition: JSON.parse(definition) as StoredConnector['definition'],
    ...{ createdBy, createdAt, updatedAt },
  };
}

function toRow(tenantId: string, connector: StoredConnector): StateTables['connectors'] {
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
