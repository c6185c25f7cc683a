import { test } from 'node:test';
import { liveRandomly } from './model.ts';
import { differentialSeed } from './read/differential.ts';

test('in many lives, names, counts, duplicates and answers are those of a plain list', (t) =>
  liveRandomly(t, { seed: differentialSeed(Math.floor(Math.random() * 2 ** 31)), lives: 10, operations: 120 }));
