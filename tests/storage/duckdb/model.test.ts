import { test } from 'node:test';
import { liveRandomly } from './model.ts';
import { differentialSeed } from './read/differential.ts';

test('DuckdbEventStore: random operations leave it equal to a plain list of events', (t) =>
  liveRandomly(t, { seed: differentialSeed(20_260_705), lives: 1, operations: 30 }));
