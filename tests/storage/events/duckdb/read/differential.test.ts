import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compareWithReference,
  differentialRuns,
  differentialSeed,
  sampleDataset,
} from '../../../../contracts/questions/differential.ts';
import { actualAnswer } from '../../../../reference/differential.ts';
import { requestArbitrary } from '../../../../reference/generators.ts';
import { rareTest } from '../../../../support/rare.ts';
import { compiledStore, openDatabase } from '../compiled-store.ts';
import { openStore } from './open-store.ts';

/**
 * The same questions in each run, so that only a change of the code fails; the soak asks new ones.
 */
const options = {
  seed: differentialSeed(20_240_310),
  runs: differentialRuns(60),
  datasets: 4,
  eventsPerDataset: 150,
};

test('DuckdbEventStore: generated questions are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, (scope) => openStore(scope), options),
);

test('DuckdbEventStore: groups beyond those added up in memory', { concurrency: 3 }, (t) =>
  compareWithReference(t, (scope) => openStore(scope, { groupLimits: { rows: 2, offset: 20_000 } }), options),
);

test('KeptColumns: generated questions are answered as by the reference', { concurrency: 3 }, async (t) => {
  const store = await openStore(t, { keptColumns: { maxBytes: 1e9, waits: true } });
  await compareWithReference(t, async () => store, { ...options, runs: differentialRuns(120) });
  const { answers } = (await store.stats()).files!.keptColumns;
  t.diagnostic(`${answers} questions were answered from columns in memory`);
  // The data has lists and several types nearly everywhere, which are left to the engine.
  assert.ok(answers >= 5);
});

rareTest('DuckdbEventStore: more generated questions are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, (scope) => openStore(scope), { ...options, runs: differentialRuns(360), datasets: 12 }),
);

rareTest('Compiler: every statement of a generated question EXPLAINs', async (t) => {
  t.diagnostic(`DIFFERENTIAL_SEED=${options.seed}`);
  const database = await openDatabase(t);
  const store = compiledStore(database, 1, (run, sql, ...values) => run(`EXPLAIN ${sql}`, ...values));
  for (let index = 0; index < 2; index += 1) {
    const dataset = sampleDataset(index, options);
    const explains = fc.asyncProperty(requestArbitrary(dataset), async (request) => {
      await actualAnswer(store, request, dataset);
    });
    await fc.assert(explains, { seed: options.seed + index, numRuns: 8 });
  }
});
