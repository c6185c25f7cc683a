import type { SegmentStore, StoredSegment } from '../../../../core/analytics/segments/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { NamedRows } from '../named-rows.ts';

type SegmentRow = StateTables['segments'];

export class SqlSegmentStore extends NamedRows<SegmentRow, StoredSegment> implements SegmentStore {
  constructor(database: StateDatabase) {
    super(database, { table: 'segments', key: 'name', updated: ['definition'], toItem: toSegment, toRow });
  }
}

function toSegment(row: SegmentRow): StoredSegment {
  const definition = JSON.parse(row.definition) as Pick<StoredSegment, 'by' | 'conditions' | 'title' | 'description'>;
  const { name, created_at: createdAt, created_by: createdBy, updated_at: updatedAt } = row;
  return { name, ...definition, createdAt, createdBy, updatedAt };
}

function toRow(tenantId: string, { name, createdAt, createdBy, updatedAt, ...definition }: StoredSegment): SegmentRow {
  return {
    tenant_id: tenantId,
    name,
    definition: JSON.stringify(definition),
    created_at: createdAt,
    created_by: createdBy,
    updated_at: updatedAt,
  };
}
