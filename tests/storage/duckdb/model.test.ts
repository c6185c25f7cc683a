import { test } from 'node:test';
import { runRandomly } from './model.ts';
import { differentialSeed } from './read/differential.ts';

test('DuckdbEventStore: random operations leave it equal to a plain list of events', (t) =>
  runRandomly(t, { seed: differentialSeed(20_260_705), numRuns: 1, operations: 15 }));
