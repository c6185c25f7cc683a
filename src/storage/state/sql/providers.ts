import { sql } from 'kysely';
import type { ProviderStore, StoredModelProvider } from '../../../core/agents/providers/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase } from './database.ts';
import { greater } from './dialect.ts';
import { NamedRows } from './named-rows.ts';
import { fromRow, toRow } from './rows.ts';
import { violationAsResult } from './violations.ts';

type ProviderRow = StateTables['providers'];

export class SqlProviderStore extends NamedRows<ProviderRow, StoredModelProvider> implements ProviderStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'providers',
      key: 'name',
      updated: ['definition'],
      // Increases whatever the clock says: it is part of the version that people have read.
      updatedAt: greater(sql`excluded.updated_at`, sql`providers.updated_at + 1`),
      toItem: toModelProvider,
      toRow: toProviderRow,
    });
  }

  async replace(
    tenantId: string,
    provider: StoredModelProvider,
    seen: StoredModelProvider | null,
  ): Promise<'put' | 'stale' | 'unknown tenant'> {
    const row = toProviderRow(tenantId, provider);
    const { definition, updated_at } = row;
    const changed = seen
      ? this.database
          .updateTable('providers')
          .set({ definition, updated_at })
          .where('tenant_id', '=', tenantId)
          .where('name', '=', provider.name)
          .where('definition', '=', JSON.stringify(seen.definition))
          .returning('name')
          .executeTakeFirst()
      : this.database
          .insertInto('providers')
          .values(row)
          .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
          .returning('name')
          .executeTakeFirst();
    const result = await violationAsResult(changed, { 'foreign key': 'unknown tenant' } as const);
    if (result === 'unknown tenant') return result;
    return result ? 'put' : 'stale';
  }
}

function toProviderRow(tenantId: string, { definition, ...provider }: StoredModelProvider): ProviderRow {
  return { ...toRow(provider), tenant_id: tenantId, definition: JSON.stringify(definition) };
}

export function toModelProvider({ tenant_id: _, definition, ...row }: ProviderRow): StoredModelProvider {
  return { ...fromRow(row), definition: JSON.parse(definition) };
}
