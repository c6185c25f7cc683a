import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { RawColumn, RawPlan } from '../../../../core/analytics/events/query-plan.ts';
import { matching } from './compile-selection.ts';
import { QueryScope, type Source } from './expressions.ts';
import { orderBy } from './property-sql.ts';

export interface CompiledPage {
  sql: string;
  toRow(values: unknown[]): unknown[];
}

/** Properties are read from the event's exact text, in JavaScript: a page has few rows. */
export function pageStatement(source: Source, plan: RawPlan): CompiledPage {
  const scope = new QueryScope(source);
  const fields = plan.columns.map((column) => (column.kind === 'event' ? scope.column(column) : null));
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const hasProperties = fields.includes(null);
  if (hasProperties) scope.keep('properties');
  const needsValues = plan.columns.some(({ kind }) => kind === 'property' || kind === 'properties');
  const sort = scope.column(plan.sort.field);
  const { descending } = plan.sort;
  const isTime = sort === 'timestamp';
  const ties = isTime && !descending ? 'id ASC' : isTime ? 'id DESC' : 'timestamp DESC, id DESC';
  const order = `${orderBy(sort, scope.valueType(plan.sort.field), descending)}, ${ties}`;
  // A segment would be computed twice.
  const isBounded = isTime && (plan.selection.segments ?? []).length === 0;
  const events = matching(plan.selection, scope, isBounded ? [untilLastOfPage(source, plan)] : []);
  const shown = [hasProperties ? 'properties' : `''`, ...fields.filter((field) => field !== null)];
  return {
    sql: `SELECT ${shown.join(', ')} FROM (${events}) ORDER BY ${order} LIMIT ${plan.limit} OFFSET ${plan.offset}`,
    toRow: ([text, ...values]) => {
      const properties: unknown = needsValues ? JSON.parse(text as string) : null;
      let next = 0;
      return plan.columns.map((column) => {
        if (column.kind === 'event') return values[next++];
        return column.kind === 'properties text' ? text : shownValue(column, properties as object);
      });
    },
  };
}

/**
 * A condition that leaves the page, the pages before it and ties of time: the ids of other events
 * are not read.
 */
function untilLastOfPage(source: Source, { selection, sort, limit, offset }: RawPlan): string {
  const scope = new QueryScope(source);
  const time = scope.keep('timestamp');
  const [direction, last, beyond] = sort.descending ? ['DESC', 'min', '>='] : ['ASC', 'max', '<='];
  const first = `SELECT ${time} FROM (${matching(selection, scope)}) ORDER BY ${time} ${direction} LIMIT ${limit + offset}`;
  return `${time} ${beyond} (SELECT ${last}(${time}) FROM (${first}))`;
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
