import type { StoredTerm, TermStore } from '../../../../core/analytics/metrics/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { NamedRows } from '../named-rows.ts';

type TermRow = StateTables['terms'];

export class SqlTermStore extends NamedRows<TermRow, StoredTerm> implements TermStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'terms', key: 'term', updated: ['definition'], toItem: toTerm, toRow });
  }
}

function toTerm({ definition, created_at: createdAt, updated_at: updatedAt }: TermRow): StoredTerm {
  return { ...(JSON.parse(definition) as StoredTerm), createdAt, updatedAt };
}

function toRow(tenantId: string, { createdAt, updatedAt, ...term }: StoredTerm): TermRow {
  return {
    tenant_id: tenantId,
    term: term.term,
    definition: JSON.stringify(term),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
