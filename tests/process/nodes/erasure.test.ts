import assert from 'node:assert/strict';
import { fill } from '../../support/answers.ts';
import { EVENTS } from '../../support/app.ts';
import { ask } from '../../support/knowledge.ts';
import { hasNodes, sharedBucket } from '../../support/postgres-state.ts';
import { eventually, runProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { checkDocuments, checkEqualAnswers, checkStored, failuresOf } from './checks.ts';
import { MixedLoad } from './load.ts';
import { allVisible, type Cluster, startCluster } from './support.ts';

async function erase(t: Parameters<typeof runProgram>[0], { environment, nodes }: Cluster, ...args: string[]) {
  const { dataDir } = nodes[0]!;
  const ending = await runProgram(t, ['erase', ...args, '--yes', '--data-dir', dataDir], { environment });
  assert.equal(ending.code, 0, ending.stderr);
  return ending.stdout;
}

/** Tables that still have rows of the tenant. */
async function tablesWith({ pool }: Cluster, tenantId: string): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'tenant_id'",
  );
  const found = [];
  for (const { name } of tables) {
    // A removal that is done stays for a while, without its content.
    const which =
      name === 'event_removals' ? "tenant_id = $1 AND (done_at IS NULL OR removed <> '{}')" : 'tenant_id = $1';
    const { rows } = await pool.query(`SELECT 1 FROM ${name} WHERE ${which} LIMIT 1`, [tenantId]);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

rareTest(
  'nodes: a tenant that is erased while it writes at every node leaves nothing',
  { skip: !hasNodes },
  async (t) => {
    const cluster = await startCluster(t);
    const [kept, gone] = [await cluster.newKey(), await cluster.newKey('other')];
    const { id } = await cluster.useState(({ tenants }) => tenants.get('other'));
    await fill({ url: cluster.url, key: gone }, 'gone');
    const writers = new MixedLoad(t, { url: cluster.url, key: gone, seed: 2, name: 'gone', ends: [401, 404] });
    const others = new MixedLoad(t, { url: cluster.url, key: kept, seed: 3 });
    await eventually('there is a load', async () => writers.jobs.length > 3 && writers.awaited > 3, 30_000);
    const { rows } = await cluster.pool.query<{ number: number }>(
      'SELECT number FROM event_tenants WHERE tenant_id = $1',
      [id],
    );
    const report = await erase(t, cluster, '--tenant', 'other');
    assert.match(report, /^Erased the tenant other: /);
    // Clients that repeat a request end with its refusal; those that send once go on.
    const statuses = await Promise.all(
      cluster.nodes.map(async ({ url }) => (await ask({ url, key: gone }, 'POST', EVENTS, { events: [] })).status),
    );
    assert.deepEqual(statuses, [401, 401, 401]);
    await writers.stop();
    await others.stop();
    assert.deepEqual([...writers.unexpected, ...others.unexpected], []);

    await checkStored(cluster, others);
    await checkDocuments(cluster, others, kept);
    const remaining = async () => (await tablesWith(cluster, id)).length === 0;
    await eventually('nothing of the tenant is in PostgreSQL', remaining, 10_000).catch(async () => {
      assert.deepEqual(await tablesWith(cluster, id), []);
    });
    const events = await cluster.eventRows(
      `SELECT count() FROM {database}.events WHERE tenant = ${rows[0]!.number} OR event_name = 'gone'`,
    );
    assert.equal(Number(events[0]![0]), 0);
    const { rows: chunks } = await cluster.pool.query(
      "SELECT 1 FROM knowledge_chunks WHERE text LIKE '%gone-%' LIMIT 1",
    );
    assert.deepEqual(chunks, []);
    const bucket = await sharedBucket();
    await eventually('no upload is left', async () => bucket.keys().length === 0, 10_000);
    assert.deepEqual(failuresOf(cluster).others, []);
    t.diagnostic(report.split('\n')[0]!);
  },
);

rareTest('nodes: a thread that is erased while all write leaves nothing of itself', { skip: !hasNodes }, async (t) => {
  const cluster = await startCluster(t);
  const key = await cluster.newKey();
  const load = new MixedLoad(t, { url: cluster.url, key, seed: 4 });
  await eventually('there is a load', async () => load.awaited > 10, 30_000);
  const desk = { url: cluster.url, key };
  for (let run = 0; run < 20; run += 1) {
    const events = Array.from({ length: 10 }, (_, index) => ({
      ...{ id: `secret-${run}-${index}`, eventName: 'secret', threadId: 'secret', executionId: `secret-${run}` },
    }));
    assert.equal((await ask(desk, 'POST', EVENTS, { events })).status, 202);
    const execution = { id: `secret-${run}`, threadId: 'secret', output: 'secret' };
    assert.equal((await ask(desk, 'POST', EVENTS.replace('events', 'executions'), execution)).status, 201);
  }
  const report = await erase(t, cluster, '--tenant', 'default', '--thread', 'secret');
  assert.match(report, /200 events, 20 executions/);
  await load.stop();
  assert.deepEqual(load.unexpected, []);
  await allVisible(cluster);
  const [left] = await cluster.eventRows("SELECT count() FROM {database}.events WHERE thread_id = 'secret'");
  const { rows } = await cluster.pool.query("SELECT 1 FROM executions WHERE thread_id = 'secret' LIMIT 1");
  assert.deepEqual([Number(left![0]), rows], [0, []]);
  await checkStored(cluster, load);
  await checkDocuments(cluster, load, key);
  await checkEqualAnswers(cluster, key);
  assert.deepEqual(failuresOf(cluster).others, []);
});
