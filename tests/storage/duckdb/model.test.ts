import { test } from 'node:test';
import { liveRandomly } from './model.ts';
import { differentialSeed } from './read/differential.ts';

test('whatever happens to a store, names, counts, duplicates and answers are those of a plain list', (t) =>
  liveRandomly(t, { seed: differentialSeed(20_260_705), lives: 1, operations: 30 }));
