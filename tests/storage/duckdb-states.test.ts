import { test } from 'node:test';
import { differentialSeed } from './duckdb-differential.ts';
import { compareState, STATES } from './duckdb-states-cases.ts';

/** The same questions each time; the soak asks new ones, and more. */
const options = { seed: differentialSeed(20_260_704), runs: 20, datasets: 2, eventsPerDataset: 120 };

for (const state of STATES) {
  test(`DuckDB answers as the reference does ${state.sentence}`, (t) => compareState(t, state, options));
}
