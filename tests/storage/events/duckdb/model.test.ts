import { differentialSeed } from '../../../contracts/questions/differential.ts';
import { rareTest } from '../../../support/rare.ts';
import { runRandomly } from './model.ts';

rareTest('DuckdbEventStore: random operations leave it equal to a plain list of events', (t) =>
  runRandomly(t, { seed: differentialSeed(20_260_705), numRuns: 1, operations: 15 }),
);
