import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import type { PlanResult, QueryPlan } from '../../../../src/core/analytics/events/query-plan.ts';
import type { EventStore } from '../../../../src/core/analytics/events/store.ts';
import { answer } from '../../../../src/storage/events/compile/answer.ts';
import { AnalyticsDatabase } from '../../../../src/storage/events/duckdb/database.ts';
import { duckdbEngine } from '../../../../src/storage/events/duckdb/read/engine.ts';
import { KINDS, readLayout } from '../../../../src/storage/events/duckdb/tables.ts';
import { knownEvents } from '../../../../src/storage/events/duckdb/write/known.ts';
import { TenantColumns } from '../../../../src/storage/events/duckdb/write/typed-columns.ts';
import { temporaryDirectory } from '../../../support/app.ts';

export async function openDatabase(t: TestContext, memoryLimit = 512e6): Promise<AnalyticsDatabase> {
  const path = join(temporaryDirectory(t), 'events.duckdb');
  const database = await AnalyticsDatabase.open(path, { readers: 1, memoryLimit });
  t.after(() => database.close());
  return database;
}

type Run = DuckDBConnection['runAndReadAll'];

/** A store that runs the statements of plans on empty tables; `onStatement` sees each before. */
export function compiledStore(
  database: AnalyticsDatabase,
  tenant: number,
  onStatement: (run: Run, ...statement: Parameters<Run>) => unknown,
): EventStore {
  const run: Run = database.writer.runAndReadAll.bind(database.writer);
  const runAndReadAll: Run = async (...statement) => {
    await onStatement(run, ...statement);
    return run(...statement);
  };
  const connection = { runAndReadAll } as DuckDBConnection;
  const query = async (_: string, plan: QueryPlan): Promise<PlanResult> => {
    const layout = await readLayout(database.writer);
    let result: PlanResult | null = null;
    for (const listedAll of [true, false]) {
      const source = { tenant, paths: learnedPaths(listedAll), layout };
      result = await answer(duckdbEngine(connection, source), plan);
    }
    const at = Date.parse('2024-03-10T10:00:00Z');
    return { ...result!, matched: 1, firstAt: at - 86_400_000, lastAt: at };
  };
  return {
    query,
    knownEvents: (_: string, agentId: string | null) => knownEvents(connection, tenant, agentId),
    knownProperties: async () => [],
  } as Partial<EventStore> as EventStore;
}

/** Some keys in columns of one or several kinds, the others in the JSON. */
function learnedPaths(listedAll: boolean): TenantColumns {
  const paths = new TenantColumns();
  Object.assign(paths, { learnedAll: false, listedAll });
  for (const [index, key] of ['amount', 'plan', 'a', 'b', 'list'].entries()) {
    for (const kind of KINDS.slice(0, 1 + index)) paths.restore(`/${key}`, kind, index % 2);
  }
  return paths;
}
