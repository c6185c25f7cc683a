import type { PropertyPath } from '../../../../core/analytics/events/predicates.ts';
import type { RawColumn, RawPlan, Selection } from '../../../../core/analytics/events/query-plan.ts';
import { withinPage } from '../../answers/groups.ts';
import type { RunStatement } from '../../compile/aggregate.ts';
import type { Totals } from '../../compile/answer.ts';
import { matching } from '../../compile/selection.ts';
import { unavailable } from '../faults.ts';
import { DuckdbScope, type Source } from './scope.ts';
import { DUCKDB } from './sql.ts';

/** Up to this row the page is read directly from its likely time range. */
const NEAR_ROWS = 500;

/** The rows of a page, given the totals of its selection. */
export async function readPage(run: RunStatement, source: Source, plan: RawPlan, totals: Totals): Promise<unknown[][]> {
  const wanted = Math.max(0, Math.min(plan.limit, totals.matched - plan.offset));
  if (wanted === 0) return [];
  if (!sortsByTime(plan)) return pageOfField(run, source, plan, wanted);
  const likely = { ...plan, selection: likelySelection(plan, totals) };
  if (plan.offset + plan.limit <= NEAR_ROWS) {
    const lines = await linesOf(run, pageByTime(source, likely, plan.offset));
    if (lines.texts.length === wanted) return rowsOf(lines, plan);
  }
  const end = Math.min(plan.offset + plan.limit, totals.matched);
  for (const candidate of [likely, plan]) {
    const [edges] = await run(edgesStatement(source, candidate));
    const [first, last, before, through] = (edges ?? [0, 0, 0, 0]) as [number, number, number, number];
    if (through < end) continue;
    const selection = { ...plan.selection, from: Math.min(first, last), to: Math.max(first, last) + 1 };
    return rowsOf(await linesOf(run, pageByTime(source, { ...plan, selection }, plan.offset - before)), plan);
  }
  return [];
}

const ATTEMPTS = 5;

/** A checkpoint may renumber rows (DuckDB 1.5): an incomplete page is read again. */
async function pageOfField(run: RunStatement, source: Source, plan: RawPlan, wanted: number): Promise<unknown[][]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lines = await linesOf(run, pageByField(source, plan));
    if (lines.texts.length === wanted) return rowsOf(lines, plan);
  }
  throw unavailable(new Error('rows were renumbered again and again'));
}

/** The page's time range if events arrived at an even pace, with a margin. */
function likelySelection({ selection, sort, offset, limit }: RawPlan, { matched, firstAt, lastAt }: Totals): Selection {
  if (firstAt === null || lastAt === null) return selection;
  const share = (MARGIN * (offset + limit)) / matched;
  if (share >= 1) return selection;
  const span = Math.ceil((lastAt - firstAt) * share);
  return sort.descending ? { ...selection, from: lastAt - span } : { ...selection, to: firstAt + span + 1 };
}

const MARGIN = 4;

/** One column: JSON of the row's values. */
interface CompiledPage {
  sql: string;
  toRow(values: unknown[]): unknown[];
}

interface Lines extends Pick<CompiledPage, 'toRow'> {
  texts: string[];
}

async function linesOf(run: RunStatement, { sql, toRow }: CompiledPage): Promise<Lines> {
  const texts = (await run(sql)).map(([text]) => text as string | null);
  return { texts: texts.filter((text) => text !== null), toRow };
}

function rowsOf({ texts, toRow }: Lines, { page }: RawPlan): unknown[][] {
  return withinPage(texts, page, (text) => text.length).map((text) => toRow(JSON.parse(text) as unknown[]));
}

function sortsByTime({ sort }: RawPlan): boolean {
  return sort.field.kind === 'event' && sort.field.name === 'timestamp';
}

/**
 * The page's time range, for which alone the other columns are then read. Row: timestamps of the
 * first and last event, numbers of events before and through them.
 */
function edgesStatement(source: Source, plan: RawPlan): string {
  const scope = new DuckdbScope(source);
  scope.keep('timestamp');
  const direction = plan.sort.descending ? 'DESC' : 'ASC';
  const [last, before] = plan.sort.descending ? ['min', '>'] : ['max', '<'];
  const through = `SELECT timestamp FROM (${matching(plan.selection, scope)}) ORDER BY timestamp ${direction} LIMIT ${plan.offset + plan.limit}`;
  return (
    `WITH through AS MATERIALIZED (${through}), ` +
    `edge AS (SELECT timestamp AS first FROM through ORDER BY timestamp ${direction} LIMIT 1 OFFSET ${plan.offset}) ` +
    `SELECT first, (SELECT ${last}(timestamp) FROM through), ` +
    `(SELECT count(*) FROM through WHERE timestamp ${before} first), (SELECT count(*) FROM through) FROM edge`
  );
}

function pageByTime(source: Source, plan: RawPlan, offset: number): CompiledPage {
  const scope = new DuckdbScope(source);
  const shown = shownColumns(plan.columns, scope);
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const direction = plan.sort.descending ? 'DESC' : 'ASC';
  return {
    sql:
      `SELECT json_array(${shown.select})::VARCHAR FROM (${matching(plan.selection, scope)}) ` +
      `ORDER BY timestamp ${direction}, id ${direction} LIMIT ${plan.limit} OFFSET ${offset}`,
    toRow: shown.toRow,
  };
}

/** Row numbers first, then the other columns. An event renumbered in between is missing or null. */
function pageByField(source: Source, plan: RawPlan): CompiledPage {
  const scope = new DuckdbScope(source);
  const sortColumn = scope.column(plan.sort.field);
  for (const column of ['timestamp', 'id', 'run', 'row_number']) scope.keep(column);
  const sort = DUCKDB.orderBy(sortColumn, scope.valueType(plan.sort.field), plan.sort.descending);
  const events = matching(plan.selection, scope);
  const page = `SELECT * FROM (${events}) ORDER BY ${sort}, timestamp DESC, id DESC LIMIT ${plan.limit} OFFSET ${plan.offset}`;
  const shown = shownColumns(plan.columns, scope);
  return {
    sql:
      `WITH page AS (SELECT timestamp, run, row_number, id AS sought, row_number() OVER () AS position FROM (${page})) ` +
      `SELECT CASE WHEN shown.id = sought THEN json_array(${shown.select})::VARCHAR END ` +
      `FROM ${scope.tenantEvents()} AS shown JOIN page USING (timestamp, run, row_number) ORDER BY position`,
    toRow: shown.toRow,
  };
}

function shownColumns(columns: RawColumn[], scope: DuckdbScope): { select: string } & Pick<CompiledPage, 'toRow'> {
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

function fieldSql(column: Exclude<RawColumn, { kind: 'property' }>, scope: DuckdbScope): string {
  if (column.kind === 'event') return scope.column(column);
  const text = scope.keep('properties');
  return column.kind === 'properties' ? `${text}::JSON` : text;
}

function firstPresent(values: unknown[]): unknown {
  return values.find((value) => value !== null) ?? null;
}
