import { test } from 'node:test';
import { differentialRuns, differentialSeed } from '../../../contracts/questions/differential.ts';
import { compareState, STATES } from './states.ts';

/** `npm run soak`: new questions in each run, about every clock change. */
const seed = differentialSeed(Math.floor(Math.random() * 2 ** 31));
const runs = differentialRuns(1_200);

for (const state of STATES) {
  test(`DuckdbEventStore soak: correct with ${state.title}`, (t) =>
    compareState(t, state, { seed, runs, datasets: 12, eventsPerDataset: 150 }));
}
