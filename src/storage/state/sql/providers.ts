import type { ProviderStore, StoredModelProvider } from '../../../core/agents/providers/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { NamedRows } from './named-rows.ts';
import { fromRow, toRow } from './rows.ts';

type ProviderRow = StateTables['providers'];

export class SqlProviderStore extends NamedRows<ProviderRow, StoredModelProvider> implements ProviderStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'providers',
      key: 'name',
      updated: ['definition'],
      toItem: toModelProvider,
      toRow: toProviderRow,
    });
  }
}

function toProviderRow(tenantId: string, { definition, ...provider }: StoredModelProvider): ProviderRow {
  return { ...toRow(provider), tenant_id: tenantId, definition: JSON.stringify(definition) };
}

export function toModelProvider({ tenant_id: _, definition, ...row }: ProviderRow): StoredModelProvider {
  return { ...fromRow(row), definition: JSON.parse(definition) };
}
