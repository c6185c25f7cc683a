import { test } from 'node:test';
import { differentialSeed } from '../../../contracts/questions/differential.ts';
import { runRandomly } from './model.ts';

test('DuckdbEventStore soak: many random operations leave it equal to a plain list', (t) =>
  runRandomly(t, { seed: differentialSeed(Math.floor(Math.random() * 2 ** 31)), numRuns: 10, operations: 120 }));
