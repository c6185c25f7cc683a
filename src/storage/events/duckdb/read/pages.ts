import type { RawPlan, Selection } from '../../../../core/analytics/events/query-plan.ts';
import type { RunStatement } from '../../compile/aggregate.ts';
import type { Totals } from '../../compile/answer.ts';
import { matching } from '../../compile/selection.ts';
import { type PageLine, readsProperties, rowsOfPage } from '../../shared/page-rows.ts';
import { unavailable } from '../faults.ts';
import { DuckdbScope, type Source } from './scope.ts';
import { DUCKDB } from './sql.ts';

/** Up to this row the page is read directly from its likely time range. */
const NEAR_ROWS = 500;

/** The rows of a page, given the totals of its selection. */
export function readPage(run: RunStatement, source: Source, plan: RawPlan, totals: Totals): Promise<unknown[][]> {
  const wanted = Math.max(0, Math.min(plan.limit, totals.matched - plan.offset));
  const read = sortsByTime(plan) ? linesByTime : linesByField;
  return rowsOfPage(plan, wanted, (part) => read(run, source, { ...plan, ...part }, totals));
}

async function linesByTime(run: RunStatement, source: Source, plan: RawPlan, totals: Totals): Promise<PageLine[]> {
  const likely = { ...plan, selection: likelySelection(plan, totals) };
  const end = plan.offset + plan.limit;
  if (end <= NEAR_ROWS) {
    const lines = await run(pageByTime(source, likely, plan.offset));
    if (lines.length === plan.limit) return lines as PageLine[];
  }
  for (const candidate of [likely, plan]) {
    const [edges] = await run(edgesStatement(source, candidate));
    const [first, last, before, through] = (edges ?? [0, 0, 0, 0]) as [number, number, number, number];
    if (through < end) continue;
    const selection = { ...plan.selection, from: Math.min(first, last), to: Math.max(first, last) + 1 };
    return (await run(pageByTime(source, { ...plan, selection }, plan.offset - before))) as PageLine[];
  }
  return [];
}

const ATTEMPTS = 5;

/** A checkpoint may renumber rows (DuckDB 1.5): an incomplete page is read again. */
async function linesByField(run: RunStatement, source: Source, plan: RawPlan): Promise<PageLine[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const lines = await run(pageByField(source, plan));
    if (lines.length === plan.limit && lines.every(([text]) => text !== null)) return lines as PageLine[];
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

function pageByTime(source: Source, plan: RawPlan, offset: number): string {
  const scope = new DuckdbScope(source);
  const shown = shownColumns(plan, scope);
  for (const column of ['timestamp', 'id']) scope.keep(column);
  const direction = plan.sort.descending ? 'DESC' : 'ASC';
  return (
    `SELECT ${shown.join(', ')} FROM (${matching(plan.selection, scope)}) ` +
    `ORDER BY timestamp ${direction}, id ${direction} LIMIT ${plan.limit} OFFSET ${offset}`
  );
}

/** Row numbers first, then the other columns. An event renumbered in between is missing or null. */
function pageByField(source: Source, plan: RawPlan): string {
  const scope = new DuckdbScope(source);
  const sortColumn = scope.column(plan.sort.field);
  for (const column of ['timestamp', 'id', 'run', 'row_number']) scope.keep(column);
  const sort = DUCKDB.orderBy(sortColumn, scope.valueType(plan.sort.field), plan.sort.descending);
  const events = matching(plan.selection, scope);
  const page = `SELECT * FROM (${events}) ORDER BY ${sort}, timestamp DESC, id DESC LIMIT ${plan.limit} OFFSET ${plan.offset}`;
  const [text, ...fields] = shownColumns(plan, scope);
  return (
    `WITH page AS (SELECT timestamp, run, row_number, id AS sought, row_number() OVER () AS position FROM (${page})) ` +
    `SELECT ${[`CASE WHEN shown.id = sought THEN ${text} END`, ...fields].join(', ')} ` +
    `FROM ${scope.tenantEvents()} AS shown JOIN page USING (timestamp, run, row_number) ORDER BY position`
  );
}

function shownColumns(plan: RawPlan, scope: DuckdbScope): string[] {
  const fields = plan.columns.flatMap((column) => (column.kind === 'event' ? [scope.column(column)] : []));
  return [readsProperties(plan) ? scope.keep('properties') : "''", ...fields];
}
