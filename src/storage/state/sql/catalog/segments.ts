import type { SegmentStore, StoredSegment } from '../../../../core/analytics/segments/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { NamedRows } from '../named-rows.ts';
import { fromRow, toRow } from '../rows.ts';

type SegmentRow = StateTables['segments'];

export class SqlSegmentStore extends NamedRows<SegmentRow, StoredSegment> implements SegmentStore {
  constructor(database: StateDatabase) {
    super(database, {
      table: 'segments',
      key: 'name',
      updated: ['definition'],
      toItem: toSegment,
      toRow: toSegmentRow,
    });
  }
}

function toSegment({ tenant_id: _, definition, ...row }: SegmentRow): StoredSegment {
  const defined = JSON.parse(definition) as Pick<StoredSegment, 'by' | 'conditions' | 'title' | 'description'>;
  return { ...defined, ...fromRow(row) };
}

function toSegmentRow(
  tenantId: string,
  { name, createdAt, createdBy, updatedAt, ...definition }: StoredSegment,
): SegmentRow {
  return { ...toRow({ tenantId, name, createdAt, createdBy, updatedAt }), definition: JSON.stringify(definition) };
}
