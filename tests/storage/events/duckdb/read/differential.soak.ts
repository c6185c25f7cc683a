import { test } from 'node:test';
import {
  compareWithReference,
  differentialRuns,
  differentialSeed,
} from '../../../../contracts/questions/differential.ts';
import { openStore } from './open-store.ts';

/** `npm run soak`: the same comparison with more runs. */
const seed = differentialSeed(Math.floor(Math.random() * 2 ** 31));
const runs = differentialRuns(20_000);
const small = { seed, runs: runs * 0.6, datasets: 60, eventsPerDataset: 150 };

test('DuckdbEventStore soak: small datasets are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, (scope) => openStore(scope), small),
);

test('KeptColumns soak: small datasets are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, (scope) => openStore(scope, { keptColumns: { maxBytes: 1e9, waits: true } }), {
    ...small,
    runs: runs * 0.3,
  }),
);

/** More than one of DuckDB's vectors (2,048 rows), so that partial aggregates are combined. */
test('DuckdbEventStore soak: larger datasets are answered as by the reference', { concurrency: 3 }, (t) =>
  compareWithReference(t, openStore, { seed: seed + 1_000, runs: runs * 0.1, datasets: 12, eventsPerDataset: 5_000 }),
);
