import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PostgresMaintenance } from '../../../../src/storage/state/postgres/leases.ts';
import type { PostgresClient } from '../../../../src/storage/state/postgres/pool.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../../../support/postgres-state.ts';

const skip = !hasPostgres;
const HOUR = 3_600_000;

async function nodes(t: TestContext, count: number) {
  const { pool, close } = await openTestPostgres(await databaseOf(newPlace()));
  t.after(close);
  let asked = 0;
  const client: PostgresClient = {
    query: (text, values) => {
      asked += 1;
      return pool.query(text, values);
    },
  };
  const made = Array.from({ length: count }, (_, index) => new PostgresMaintenance(client, `node ${index}`));
  return { pool, nodes: made, asked: () => asked };
}

test('PostgresMaintenance: of nodes that ask at once, one does the task', { skip }, async (t) => {
  const { nodes: all } = await nodes(t, 5);
  const held = await Promise.all(all.map((node) => node.held('retention', HOUR)));
  assert.equal(held.filter(Boolean).length, 1);
  const again = await Promise.all(all.map((node) => node.held('retention', HOUR)));
  assert.deepEqual(again, held, 'it keeps the task');
  assert.equal(await all[held.indexOf(false)]!.held('oauth', HOUR), true, 'tasks are held one by one');
});

test('PostgresMaintenance: another node takes over from one that is silent or has gone', { skip }, async (t) => {
  const { pool, nodes: all } = await nodes(t, 3);
  const [one, two, three] = all as [PostgresMaintenance, PostgresMaintenance, PostgresMaintenance];
  assert.deepEqual([await one.held('alerts', HOUR), await two.held('alerts', HOUR)], [true, false]);
  await pool.query(`UPDATE leases SET held_until = clock_timestamp() - interval '1 second'`);
  assert.deepEqual([await two.held('alerts', HOUR), await three.held('alerts', HOUR)], [true, false]);
  await one.close();
  assert.equal(await three.held('alerts', HOUR), false, 'the former holder ends nothing');
  await two.close();
  assert.equal(await three.held('alerts', HOUR), true);
});

test('PostgresMaintenance: asking often costs no statements', { skip }, async (t) => {
  const { nodes: all, asked } = await nodes(t, 1);
  for (let count = 0; count < 20; count += 1) assert.ok(await all[0]!.held('digests', HOUR));
  assert.equal(asked(), 1);
});
