import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { RawColumn, RawPlan } from '../../../../core/analytics/events/query-plan.ts';
import { withinPage } from '../../answers/groups.ts';
import type { RunStatement } from '../../compile/aggregate.ts';
import { matching } from '../../compile/selection.ts';
import { ClickhouseScope, type Source } from './scope.ts';
import { CLICKHOUSE } from './sql.ts';

/** Properties are read from the event's exact text, in JavaScript: a page has few rows. */
export async function readPage(run: RunStatement, source: Source, plan: RawPlan): Promise<unknown[][]> {
  const scope = new ClickhouseScope(source);
  const fields = plan.columns.map((column) => (column.kind === 'event' ? scope.column(column) : null));
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const hasProperties = fields.includes(null);
  if (hasProperties) scope.keep('properties');
  const sort = scope.column(plan.sort.field);
  const { descending } = plan.sort;
  const isTime = sort === 'timestamp';
  const ties = isTime && !descending ? 'id ASC' : isTime ? 'id DESC' : 'timestamp DESC, id DESC';
  const order = `${CLICKHOUSE.orderBy(sort, scope.valueType(plan.sort.field), descending)}, ${ties}`;
  // A segment would be computed twice.
  const isBounded = isTime && (plan.selection.segments ?? []).length === 0;
  const events = matching(plan.selection, scope, isBounded ? [untilLastOfPage(source, plan)] : []);
  const shown = [hasProperties ? 'properties' : `''`, ...fields.filter((field) => field !== null)];
  const rows = await run(
    `SELECT ${shown.join(', ')} FROM (${events}) ORDER BY ${order} LIMIT ${plan.limit} OFFSET ${plan.offset}`,
  );
  return withinPage(rows, plan.page, (row) => JSON.stringify(row).length).map((row) => shownRow(plan, row));
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

function shownRow({ columns }: RawPlan, [text, ...values]: unknown[]): unknown[] {
  const needsValues = columns.some(({ kind }) => kind === 'property' || kind === 'properties');
  const properties: unknown = needsValues ? JSON.parse(text as string) : null;
  let next = 0;
  return columns.map((column) => {
    if (column.kind === 'event') return values[next++];
    return column.kind === 'properties text' ? text : shownValue(column, properties as object);
  });
}

function shownValue(column: Exclude<RawColumn, { kind: 'event' | 'properties text' }>, properties: object): unknown {
  if (column.kind === 'properties') return properties;
  for (const path of column.paths) {
    const value = at(properties, path);
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

/** The value at a path like a JSON pointer: a key of an object, or the index of a list. */
function at(properties: object, path: PropertyPath): unknown {
  let value: unknown = properties;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
