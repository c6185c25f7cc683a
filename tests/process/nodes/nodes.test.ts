import { hasNodes } from '../../support/postgres-state.ts';
import { rareTest } from '../../support/rare.ts';
import { survives } from './cycles.ts';

rareTest('nodes: kills of nodes and engines lose and double nothing', { skip: !hasNodes }, async (t) => {
  await survives(t, { seed: Number(process.env.SEED ?? 1), kills: 4, outages: 1, suspensions: 1 });
});
