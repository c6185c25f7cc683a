import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { PlanResult, QueryPlan } from '../../src/core/events/query-plan.ts';
import { Questions } from '../../src/core/events/questions.ts';
import type { EventStore } from '../../src/core/events/store.ts';
import { compile } from '../../src/storage/duckdb/compile.ts';
import { AnalyticsDatabase, readTexts } from '../../src/storage/duckdb/database.ts';
import type { Dataset } from '../reference/datasets.ts';
import { actualAnswer } from '../reference/differential.ts';
import { requestArbitrary } from '../reference/generators.ts';
import { compareWithReference, differentialRuns, differentialSeed, sampleDataset } from './duckdb-differential.ts';

/** Always the same questions here, so that a change of the code alone turns it red; the soak asks new ones each time. */
const options = {
  seed: differentialSeed(20_240_310),
  runs: differentialRuns(1_200),
  datasets: 12,
  eventsPerDataset: 150,
};

test('DuckDB answers generated questions as the reference evaluator does', { concurrency: 3 }, (t) =>
  compareWithReference(t, options),
);

test('every compiled statement of a generated question EXPLAINs', async (t) => {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed}`);
  const database = await openDatabase(t);
  for (let index = 0; index < 4; index += 1) {
    const dataset = sampleDataset(index, options);
    const questions = new Questions(explainingStore(database, dataset), { now: () => dataset.now, newId: () => '' });
    const explains = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      await actualAnswer(questions, request, dataset);
    });
    await fc.assert(explains, { seed: options.seed + index, numRuns: 100 });
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

/** Explains each plan that it is asked, and answers that events were seen and no rows were made of them. */
function explainingStore({ writer }: AnalyticsDatabase, { tenantId, now, events }: Dataset): EventStore {
  const query = async (_: string, plan: QueryPlan): Promise<PlanResult> => {
    const { rows, totals } = compile(tenantId, plan);
    for (const { sql, params } of [rows, totals]) {
      await readTexts(writer, { sql: `EXPLAIN ${sql}`, params });
    }
    return { rows: [], total: 0, matched: events.length, firstAt: now - 86_400_000, lastAt: now };
  };
  return { query, knownProperties: async () => [] } as Partial<EventStore> as EventStore;
}
