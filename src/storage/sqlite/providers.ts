import type { ProviderStore, StoredProvider } from '../../core/providers/store.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';
import type { StateTables } from './schema.ts';

type ProviderRow = StateTables['providers'];

export class SqliteProviderStore implements ProviderStore {
  private readonly rows: NamedRows<ProviderRow, StoredProvider>;

  constructor(database: StateDatabase) {
    this.rows = new NamedRows(database, {
      table: 'providers',
      key: 'name',
      updated: ['definition'],
      toItem: toProvider,
    });
  }

  find(tenantId: string, name: string): Promise<StoredProvider | null> {
    return this.rows.find(tenantId, name);
  }

  list(tenantId: string): Promise<StoredProvider[]> {
    return this.rows.list(tenantId);
  }

  async put(tenantId: string, providers: StoredProvider[]): Promise<'put' | 'unknown tenant'> {
    return this.rows.put(providers.map((provider) => toRow(tenantId, provider)));
  }

  remove(tenantId: string, name: string): Promise<boolean> {
    return this.rows.remove(tenantId, name);
  }
}

function toRow(tenantId: string, { name, definition, createdAt, updatedAt }: StoredProvider): ProviderRow {
  return {
    tenant_id: tenantId,
    name,
    definition: JSON.stringify(definition),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function toProvider(row: ProviderRow): StoredProvider {
  const { name, definition, created_at: createdAt, updated_at: updatedAt } = row;
  return { name, definition: JSON.parse(definition) as StoredProvider['definition'], createdAt, updatedAt };
}
