import { test } from 'node:test';
import { differentialRuns, differentialSeed } from './read/differential.ts';
import { compareState, STATES } from './states-cases.ts';

/** `npm run soak`: new questions each time, about every clock change. */
const seed = differentialSeed(Math.floor(Math.random() * 2 ** 31));
const runs = differentialRuns(1_200);

for (const state of STATES) {
  test(`DuckDB answers many questions as the reference does ${state.sentence}`, (t) =>
    compareState(t, state, { seed, runs, datasets: 12, eventsPerDataset: 150 }));
}
