import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNNER_LEASE_MS } from '../../../../src/core/base/concurrency/runners.ts';
import { PostgresMaintenance } from '../../../../src/storage/state/postgres/leases.ts';
import { aliveNodes, databaseBytes, postgresVersion } from '../../../../src/storage/state/postgres/nodes.ts';
import { SqlRunnerStore } from '../../../../src/storage/state/sql/installation.ts';
import { databaseOf, hasPostgres, newPlace, openTestPostgres } from '../../../support/postgres-state.ts';

const skip = !hasPostgres;

test('aliveNodes: nodes with a heartbeat in time, and what each does for all', { skip }, async (t) => {
  const { pool, state, close } = await openTestPostgres(await databaseOf(newPlace()));
  t.after(close);
  const runners = new SqlRunnerStore(state);
  await runners.renew('node 1', RUNNER_LEASE_MS);
  await runners.renew('node 2', RUNNER_LEASE_MS);
  await runners.renew('gone', -1_000);
  await new PostgresMaintenance(pool, 'node 2').held('retention', 3_600_000);
  const found = await aliveNodes(pool);
  assert.deepEqual(found.map(({ id, tasks }) => [id, tasks]).toSorted(), [
    ['node 1', []],
    ['node 2', ['retention']],
  ]);
  for (const { seenAt } of found) assert.ok(Math.abs(Date.now() - seenAt) < 60_000);
});

test('postgresVersion, databaseBytes: what the server says of itself', { skip }, async (t) => {
  const { pool, close } = await openTestPostgres(await databaseOf(newPlace()));
  t.after(close);
  assert.match(await postgresVersion(pool), /^\d+(\.\d+)?/);
  assert.ok((await databaseBytes(pool)) > 1_000_000);
});
