import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { RawColumn, RawPlan } from '../../../../core/analytics/events/query-plan.ts';
import { matching } from './compile-selection.ts';
import { type CompiledQuery, type Source, StatementBuilder } from './expressions.ts';
import { orderBy } from './property-sql.ts';

export interface CompiledPage {
  query: CompiledQuery;
  toRow(values: unknown[]): unknown[];
}

export function sortsByTime(plan: RawPlan): boolean {
  return plan.sort.field.kind === 'event' && plan.sort.field.name === 'timestamp';
}

/** The page's time range: the other columns are then read for that range only. */
export function edgesStatement(source: Source, plan: RawPlan): CompiledQuery {
  const scope = new StatementBuilder(source);
  scope.keepColumn('timestamp');
  const events = matching(plan.selection, scope);
  const direction = plan.sort.descending ? 'DESC' : 'ASC';
  const offset = scope.bind(plan.offset);
  const end = scope.bind(plan.offset + plan.limit);
  const [last, before] = plan.sort.descending ? ['min', '>'] : ['max', '<'];
  return scope.statement(
    `${events}, through AS MATERIALIZED (SELECT timestamp FROM matching ORDER BY timestamp ${direction} LIMIT ${end}), ` +
      `edge AS (SELECT timestamp AS first FROM through ORDER BY timestamp ${direction} LIMIT 1 OFFSET ${offset}) ` +
      `SELECT json_array(first, (SELECT ${last}(timestamp) FROM through), ` +
      `(SELECT count(*) FROM through WHERE timestamp ${before} first), (SELECT count(*) FROM through))::VARCHAR FROM edge`,
  );
}

/** Timestamps of the first and last event; numbers of events before and through them. */
export type Edges = [first: number, last: number, before: number, through: number];

export function pageByTime(source: Source, plan: RawPlan, offset: number): CompiledPage {
  const scope = new StatementBuilder(source);
  const shown = shownColumns(plan.columns, scope);
  for (const column of ['timestamp', 'id']) scope.keepColumn(column);
  const events = matching(plan.selection, scope);
  const direction = plan.sort.descending ? 'DESC' : 'ASC';
  return {
    query: scope.statement(
      `${events} SELECT json_array(${shown.select})::VARCHAR FROM matching ORDER BY timestamp ${direction}, id ${direction} ` +
        `LIMIT ${scope.bind(plan.limit)} OFFSET ${scope.bind(offset)}`,
    ),
    toRow: shown.toRow,
  };
}

/** Row numbers first, then the other columns. An event renumbered in between is missing or null. */
export function pageByField(source: Source, plan: RawPlan): CompiledPage {
  const scope = new StatementBuilder(source);
  const sortColumn = scope.column(plan.sort.field);
  for (const column of ['timestamp', 'id', 'run', 'row_number']) scope.keepColumn(column);
  const order = `${orderBy(sortColumn, scope.valueType(plan.sort.field), plan.sort.descending)}, timestamp DESC, id DESC`;
  const events = matching(plan.selection, scope);
  const limit = `LIMIT ${scope.bind(plan.limit)} OFFSET ${scope.bind(plan.offset)}`;
  const shown = shownColumns(plan.columns, scope);
  return {
    query: scope.statement(
      `${events}, page AS (SELECT timestamp, run, row_number, id AS sought, row_number() OVER () AS position FROM ` +
        `(SELECT * FROM matching ORDER BY ${order} ${limit})) ` +
        `SELECT CASE WHEN shown.id = sought THEN json_array(${shown.select})::VARCHAR END ` +
        `FROM ${scope.tenantEvents()} AS shown ` +
        `JOIN page USING (timestamp, run, row_number) ORDER BY position`,
    ),
    toRow: shown.toRow,
  };
}

/** One pass for all properties: an expression for each may take hundreds of megabytes. */
function shownColumns(columns: RawColumn[], scope: StatementBuilder): { select: string } & Pick<CompiledPage, 'toRow'> {
  const paths: PropertyPath[] = [];
  const fields: string[] = [];
  const readers = columns.map((column) => {
    if (column.kind === 'property') {
      const first = paths.push(...column.paths) - column.paths.length;
      return ([listed]: unknown[]) => firstPresent((listed as unknown[]).slice(first, first + column.paths.length));
    }
    const at = fields.push(fieldSql(column, scope));
    return (values: unknown[]) => values[at];
  });
  const listed = paths.length > 0 ? scope.listOf(paths) : 'NULL';
  return {
    select: [listed, ...fields].join(', '),
    toRow: (values) => readers.map((read) => read(values)),
  };
}

function fieldSql(column: Exclude<RawColumn, { kind: 'property' }>, scope: StatementBuilder): string {
  if (column.kind === 'event') return scope.column(column);
  const text = scope.keepColumn('properties');
  return column.kind === 'properties' ? `${text}::JSON` : text;
}

function firstPresent(values: unknown[]): unknown {
  return values.find((value) => value !== null) ?? null;
}
