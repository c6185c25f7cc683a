import { test } from 'node:test';
import { differentialSeed } from '../../../contracts/questions/differential.ts';
import { rareTest } from '../../../support/rare.ts';
import { compareState, STATES } from './states.ts';

/** The same questions in each run; the soak asks more, and new ones. */
const options = { seed: differentialSeed(20_260_704), runs: 3, datasets: 1, eventsPerDataset: 120 };

const isTested = ({ title }: { title: string }) => /of new kinds|missed later/.test(title);

for (const state of STATES) {
  const define = isTested(state) ? test : rareTest;
  define(`DuckdbEventStore: correct with ${state.title}`, (t) => compareState(t, state, options));
  rareTest(`DuckdbEventStore, more questions: ${state.title}`, (t) =>
    compareState(t, state, { ...options, runs: 20, datasets: 2 }),
  );
}
