import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { DuckDBConnection } from '@duckdb/node-api';
import fc from 'fast-check';
import type { PlanResult, QueryPlan } from '../../../../src/core/events/query-plan.ts';
import { Questions } from '../../../../src/core/events/questions/questions.ts';
import type { EventStore } from '../../../../src/core/events/store.ts';
import { AnalyticsDatabase } from '../../../../src/storage/duckdb/database.ts';
import { answer } from '../../../../src/storage/duckdb/read/answer.ts';
import { KINDS, readLayout } from '../../../../src/storage/duckdb/tables.ts';
import { TenantPaths } from '../../../../src/storage/duckdb/write/learned.ts';
import { actualAnswer } from '../../../reference/differential.ts';
import { requestArbitrary } from '../../../reference/generators.ts';
import { compareWithReference, differentialRuns, differentialSeed, sampleDataset } from './differential.ts';

/**
 * The same questions in each run, so that only a change of the code fails; the soak asks new ones.
 */
const options = {
  seed: differentialSeed(20_240_310),
  runs: differentialRuns(360),
  datasets: 12,
  eventsPerDataset: 150,
};

test('DuckdbEventStore: generated questions are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, options),
);

test('Compiler: every statement of a generated question EXPLAINs', async (t) => {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed}`);
  const database = await openDatabase(t);
  for (let index = 0; index < 4; index += 1) {
    const dataset = sampleDataset(index, options);
    const questions = new Questions(explainingStore(database), { now: () => dataset.now, newId: () => '' });
    const explains = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      await actualAnswer(questions, request, dataset);
    });
    await fc.assert(explains, { seed: options.seed + index, numRuns: 30 });
  }
});

async function openDatabase(t: TestContext): Promise<AnalyticsDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-explain-'));
  const database = await AnalyticsDatabase.open(join(directory, 'events.duckdb'), { readers: 1, memoryLimit: '512MB' });
  t.after(() => {
    database.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return database;
}

/** Explains and runs each statement of the plans. */
function explainingStore(database: AnalyticsDatabase): EventStore {
  const run = database.writer.runAndReadAll.bind(database.writer);
  const runAndReadAll: typeof run = async (sql, ...values) => {
    await run(`EXPLAIN ${sql}`, ...values);
    return run(sql, ...values);
  };
  const connection = { runAndReadAll } as DuckDBConnection;
  const query = async (_: string, plan: QueryPlan): Promise<PlanResult> => {
    const source = { tenant: 1, paths: learnedPaths(), layout: await readLayout(database.writer) };
    const result = await answer(connection, source, plan);
    const at = Date.parse('2024-03-10T10:00:00Z');
    return { ...result, matched: 1, firstAt: at - 86_400_000, lastAt: at };
  };
  return { query, knownProperties: async () => [] } as Partial<EventStore> as EventStore;
}

/** Some keys in columns of one or several kinds, the others in the JSON. */
function learnedPaths(): TenantPaths {
  const paths = new TenantPaths(1, 'tenant');
  paths.learnedAll = false;
  for (const [index, key] of ['amount', 'plan', 'a', 'b', 'list'].entries()) {
    const kinds = KINDS.slice(0, 1 + index);
    for (const kind of kinds) paths.restore([key], kind, { index: index % 2, since: index === 4 ? 2 : 0 });
  }
  return paths;
}
