import type { ProviderStore, StoredProvider } from '../../core/providers/store.ts';
import type { StateDatabase } from './database.ts';
import type { StateTables } from './schema.ts';
import { refusable } from './statements.ts';

export class SqliteProviderStore implements ProviderStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async find(tenantId: string, name: string): Promise<StoredProvider | null> {
    const row = await this.database
      .selectFrom('providers')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? toProvider(row) : null;
  }

  async list(tenantId: string): Promise<StoredProvider[]> {
    const ofTenant = this.database.selectFrom('providers').selectAll().where('tenant_id', '=', tenantId);
    return (await ofTenant.orderBy('name').execute()).map(toProvider);
  }

  async put(tenantId: string, providers: StoredProvider[]): Promise<'put' | 'unknown tenant'> {
    const putAll = this.database.transaction().execute(async (transaction) => {
      for (const { name, definition, createdAt, updatedAt } of providers) {
        const changed = { definition: JSON.stringify(definition), updated_at: updatedAt };
        await transaction
          .insertInto('providers')
          .values({ tenant_id: tenantId, name, created_at: createdAt, ...changed })
          .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doUpdateSet(changed))
          .execute();
      }
      return 'put' as const;
    });
    return refusable(putAll, { SQLITE_CONSTRAINT_FOREIGNKEY: 'unknown tenant' } as const);
  }

  async remove(tenantId: string, name: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('providers')
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return result.numDeletedRows === 1n;
  }
}

export function toProvider(row: StateTables['providers']): StoredProvider {
  const { name, definition, created_at: createdAt, updated_at: updatedAt } = row;
  return { name, definition: JSON.parse(definition) as StoredProvider['definition'], createdAt, updatedAt };
}
