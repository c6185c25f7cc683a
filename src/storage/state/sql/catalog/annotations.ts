import type {
  AnnotationRange,
  AnnotationStore,
  StoredAnnotation,
} from '../../../../core/analytics/annotations/store.ts';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase } from '../database.ts';
import { fromRow, toRow } from '../rows.ts';

type AnnotationRow = StateTables['annotations'];

export class SqlAnnotationStore implements AnnotationStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async add(tenantId: string, annotation: StoredAnnotation): Promise<void> {
    const row = { tenant_id: tenantId, ...toRow(annotation) };
    await this.database.insertInto('annotations').values(row).execute();
  }

  async list(
    tenantId: string,
    { from, to, limit, offset }: AnnotationRange & { limit: number; offset: number },
  ): Promise<Page<StoredAnnotation>> {
    let asked = this.database.selectFrom('annotations').where('tenant_id', '=', tenantId);
    if (from !== null) asked = asked.where('at', '>=', from);
    if (to !== null) asked = asked.where('at', '<', to);
    const newest = asked.selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).offset(offset);
    const rows = await newest.execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toAnnotation), total };
  }

  async count(tenantId: string): Promise<number> {
    return (await this.list(tenantId, { from: null, to: null, limit: 0, offset: 0 })).total;
  }

  async change(tenantId: string, id: string, changes: Partial<Pick<StoredAnnotation, 'text' | 'at'>>) {
    const row = await this.database
      .updateTable('annotations')
      .set(changes)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row ? toAnnotation(row) : null;
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    const result = await this.database
      .deleteFrom('annotations')
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .executeTakeFirst();
    return result.numDeletedRows === 1n;
  }
}

function toAnnotation({ tenant_id: _, ...row }: AnnotationRow): StoredAnnotation {
  return fromRow(row);
}
