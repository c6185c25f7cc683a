import { hasNodes } from '../../support/postgres-state.ts';
import { rareTest } from '../../support/rare.ts';
import { survives } from './cycles.ts';

const options = { skip: !hasNodes, timeout: 300_000 };

rareTest('nodes: kills of nodes and engines lose and double nothing', options, async (t) => {
  await survives(t, { seed: Number(process.env.SEED ?? 1), kills: 4, outages: 1, suspensions: 1 });
});
