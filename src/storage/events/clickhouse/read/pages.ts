import type { RawPlan } from '../../../../core/analytics/events/query-plan.ts';
import type { RunStatement } from '../../compile/aggregate.ts';
import { matching } from '../../compile/selection.ts';
import { type PageLine, readsProperties, rowsOfPage } from '../../shared/page-rows.ts';
import { ClickhouseScope, type Source } from './scope.ts';
import { CLICKHOUSE } from './sql.ts';

export function readPage(run: RunStatement, source: Source, plan: RawPlan): Promise<unknown[][]> {
  return rowsOfPage(plan, plan.limit, async (part) => {
    return (await run(pageStatement(source, { ...plan, ...part }))) as PageLine[];
  });
}

function pageStatement(source: Source, plan: RawPlan): string {
  const scope = new ClickhouseScope(source);
  const fields = plan.columns.flatMap((column) => (column.kind === 'event' ? [scope.column(column)] : []));
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const text = readsProperties(plan) ? scope.keep('properties') : `''`;
  const sort = scope.column(plan.sort.field);
  const { descending } = plan.sort;
  const isTime = sort === 'timestamp';
  const ties = isTime && !descending ? 'id ASC' : isTime ? 'id DESC' : 'timestamp DESC, id DESC';
  const order = `${CLICKHOUSE.orderBy(sort, scope.valueType(plan.sort.field), descending)}, ${ties}`;
  // A segment would be computed twice.
  const isBounded = isTime && (plan.selection.segments ?? []).length === 0;
  const events = matching(plan.selection, scope, isBounded ? [untilLastOfPage(source, plan)] : []);
  return `SELECT ${[text, ...fields].join(', ')} FROM (${events}) ORDER BY ${order} LIMIT ${plan.limit} OFFSET ${plan.offset}`;
}

/**
 * A condition that leaves the page, the pages before it and ties of time: the ids of other events
 * are not read.
 */
function untilLastOfPage(source: Source, { selection, sort, limit, offset }: RawPlan): string {
  const scope = new ClickhouseScope(source);
  const time = scope.keep('timestamp');
  const [direction, last, beyond] = sort.descending ? ['DESC', 'min', '>='] : ['ASC', 'max', '<='];
  const first = `SELECT ${time} FROM (${matching(selection, scope)}) ORDER BY ${time} ${direction} LIMIT ${limit + offset}`;
  return `${time} ${beyond} (SELECT ${last}(${time}) FROM (${first}))`;
}
