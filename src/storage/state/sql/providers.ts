import type { ProviderStore, StoredProvider } from '../../../core/agents/providers/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';

type ProviderRow = StateTables['providers'];

export class SqlProviderStore extends NamedRows<ProviderRow, StoredProvider> implements ProviderStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'providers',
      key: 'name',
      updated: ['definition'],
      toItem: toProvider,
      toRow,
    });
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
