import { test } from 'node:test';
import { hasNodes } from '../../support/postgres-state.ts';
import { survives } from './cycles.ts';

const MINUTES = Number(process.env.NODES_MINUTES ?? 5);
const SEED = process.env.SEED;

test('nodes: random kills and outages for minutes lose and double nothing', { skip: !hasNodes }, async (t) => {
  const until = performance.now() + MINUTES * 60_000;
  do {
    const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 31));
    console.log(`seed ${seed}: repeat it with SEED=${seed} NODES_MINUTES=0`);
    await t.test(`seed ${seed}`, (t) => survives(t, { seed, kills: 12, outages: 2, suspensions: 2 }));
  } while (performance.now() < until);
});
