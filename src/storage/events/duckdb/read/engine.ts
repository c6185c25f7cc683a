import type { DuckDBConnection } from '@duckdb/node-api';
import { RESERVED_EVENT_PREFIX } from '../../../../core/analytics/events/fields.ts';
import type { Selection } from '../../../../core/analytics/events/query-plan.ts';
import type { RunStatement } from '../../compile/aggregate.ts';
import type { EventEngine, Totals } from '../../compile/answer.ts';
import { readPage } from './pages.ts';
import { DuckdbScope, type Source } from './scope.ts';
import { funnelStatement, retentionStatement } from './sequences.ts';
import { DUCKDB } from './sql.ts';

/** Answers from the snapshot of a connection. */
export function duckdbEngine(connection: DuckDBConnection, source: Source): EventEngine {
  const run = (sql: string) => rowsOf(connection, sql);
  return {
    run,
    scope: () => new DuckdbScope(source),
    counted: (selection) => storedCounts(run, source, selection),
    page: (plan, totals) => readPage(run, source, plan, totals),
    funnel: funnelStatement,
    retention: retentionStatement,
  };
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<unknown[][]> {
  const reader = await connection.runAndReadAll(sql);
  const rows = reader.getRows() as unknown[][];
  for (const row of rows) {
    for (const [at, value] of row.entries()) if (typeof value === 'bigint') row[at] = Number(value);
  }
  return rows;
}

/** Reads no event, if whole names are selected and all names of the tenant are listed. */
async function storedCounts(
  run: RunStatement,
  { tenant, paths }: Source,
  selection: Selection,
): Promise<Totals | null> {
  const { agentId, eventNames, includesOwn, predicates, anyOf, segments, from, to } = selection;
  const isNarrowed = predicates.length > 0 || anyOf !== undefined || segments !== undefined;
  if (isNarrowed || from !== null || to !== null || paths?.listedAll !== true) return null;
  const bounds = [`tenant = ${tenant}`];
  if (agentId !== null) bounds.push(`agent_id = ${DUCKDB.text(agentId)}`);
  if (eventNames !== null) bounds.push(eventNames.length === 0 ? 'false' : DUCKDB.isOneOf('event_name', eventNames));
  else if (!includesOwn)
    bounds.push(`NOT ${DUCKDB.startsWith('event_name', RESERVED_EVENT_PREFIX, { anyCase: false })}`);
  const [row] = await run(
    `SELECT sum(events), min(first_seen), max(last_seen) FROM known_events WHERE ${bounds.join(' AND ')}`,
  );
  const [matched, firstAt, lastAt] = row as [number | null, number | null, number | null];
  return { matched: matched ?? 0, firstAt, lastAt };
}
