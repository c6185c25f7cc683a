import type { ProviderStore, StoredModelProvider } from '../../../core/agents/providers/store.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';
import type { StateTables } from './schema.ts';

type ProviderRow = StateTables['providers'];

export class SqlProviderStore extends NamedRows<ProviderRow, StoredModelProvider> implements ProviderStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'providers',
      key: 'name',
      updated: ['definition'],
      toItem: toModelProvider,
      toRow,
    });
  }
}

function toRow(tenantId: string, { name, definition, createdAt, updatedAt }: StoredModelProvider): ProviderRow {
  return {
    tenant_id: tenantId,
    name,
    definition: JSON.stringify(definition),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

export function toModelProvider(row: ProviderRow): StoredModelProvider {
  const { name, definition, created_at: createdAt, updated_at: updatedAt } = row;
  return { name, definition: JSON.parse(definition) as StoredModelProvider['definition'], createdAt, updatedAt };
}
