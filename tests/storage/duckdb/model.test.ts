import { test } from 'node:test';
import { differentialSeed } from '../../contracts/questions/differential.ts';
import { runRandomly } from './model.ts';

test('DuckdbEventStore: random operations leave it equal to a plain list of events', (t) =>
  runRandomly(t, { seed: differentialSeed(20_260_705), numRuns: 1, operations: 15 }));
