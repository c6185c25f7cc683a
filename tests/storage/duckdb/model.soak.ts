import { test } from 'node:test';
import { liveRandomly } from './model.ts';
import { differentialSeed } from './read/differential.ts';

test('DuckdbEventStore soak: many random operations leave it equal to a plain list', (t) =>
  liveRandomly(t, { seed: differentialSeed(Math.floor(Math.random() * 2 ** 31)), lives: 10, operations: 120 }));
