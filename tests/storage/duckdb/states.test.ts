import { test } from 'node:test';
import { differentialSeed } from './read/differential.ts';
import { compareState, STATES } from './states-cases.ts';

/** The same questions each time; the soak asks new ones, and more. */
const options = { seed: differentialSeed(20_260_704), runs: 20, datasets: 2, eventsPerDataset: 120 };

/** A kind of value that has no room any more is one like the other but for its columns: the soak asks about all five. */
const isAsked = ({ sentence }: { sentence: string }) => !/show (double|boolean)/.test(sentence);

for (const state of STATES.filter(isAsked)) {
  test(`DuckDB answers as the reference does ${state.sentence}`, (t) => compareState(t, state, options));
}
