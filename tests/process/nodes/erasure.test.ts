import assert from 'node:assert/strict';
import { LOOPBACK, startSink } from '../../senders/support.ts';
import { fill } from '../../support/answers.ts';
import { EVENTS } from '../../support/app.ts';
import { ask } from '../../support/knowledge.ts';
import { PORTAL } from '../../support/people.ts';
import { hasNodes, sharedBucket } from '../../support/postgres-state.ts';
import { eventually, runProgram } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { PASSWORD } from '../../support/second-factor.ts';
import { checkDocuments, checkEqualAnswers, checkStored, failuresOf } from './checks.ts';
import { survives } from './cycles.ts';
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

const CLIENTS = 8;

/* What the other nodes do in one process has a fast test: tests/app/shared-nodes.test.ts. */
rareTest('nodes: when one is killed, only the requests that it has fail', { skip: !hasNodes }, async (t) => {
  const cluster = await startCluster(t);
  const desk = { url: cluster.url, key: await cluster.newKey() };
  let isOver = false;
  let answered = 0;
  t.after(() => {
    isOver = true;
  });
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = 0; !isOver; turn += 1) {
      const event = { id: `${client}-${turn}`, eventName: 'steady' };
      const isQuestion = turn % 2 === 0;
      const asked = isQuestion
        ? ask(desk, 'POST', `${EVENTS}/query`, { eventName: 'steady', mode: 'raw', limit: 1 })
        : ask(desk, 'POST', EVENTS, { events: [event] });
      const answer = await asked.catch(() => null);
      if (answer) answered += 1;
      if (answer) assert.ok(answer.status < 300, JSON.stringify(answer));
    }
  });
  for (const node of cluster.nodes.slice(0, 2)) {
    const before = answered;
    await eventually('a steady load', async () => answered > before + 100, 30_000);
    await cluster.kill(node);
    const after = answered;
    await eventually('the others go on', async () => answered > after + 100, 30_000);
    await cluster.restart(node);
  }
  isOver = true;
  await Promise.all(clients);
  const { inFlight, others } = failuresOf(cluster);
  assert.deepEqual(others, []);
  assert.ok(inFlight <= 2 * CLIENTS, `${inFlight} failed`);
});

rareTest('nodes: kills of nodes and engines lose and double nothing', { skip: !hasNodes }, async (t) => {
  await survives(t, { seed: Number(process.env.SEED ?? 1), kills: 4, outages: 1, suspensions: 1 });
});

const HOUR = 3_600_000;
const AHEAD = [0, HOUR, -HOUR];
const PRELOAD = new URL('./clock-preload.ts', import.meta.url).href;
const ALERTS = '/api/v1/runtime/observability/alerts';

function skewedCluster(t: Parameters<typeof startCluster>[0]): Promise<Cluster> {
  return startCluster(t, {
    settings: { alertNetworks: LOOPBACK.join(',') },
    environmentOf: (index) => ({ NODE_OPTIONS: `--import ${PRELOAD}`, TEST_CLOCK_AHEAD: String(AHEAD[index]) }),
  });
}

function assertNow(at: string | number, what: string): void {
  assert.ok(Math.abs(new Date(at).getTime() - Date.now()) < HOUR / 2, `${what}: ${at}`);
}

rareTest('nodes: clocks an hour ahead and behind change nothing', { skip: !hasNodes }, async (t) => {
  const sink = await startSink(t);
  const cluster = await skewedCluster(t);
  const { nodes } = cluster;
  const key = await cluster.newKey();
  const each = <Result>(use: (desk: { url: string; key: string }) => Promise<Result>) =>
    Promise.all(nodes.map(({ url }) => use({ url, key })));
  for (const { server } of nodes) {
    const shown = (await server.request(key, 'GET', '/api/v1/runtime/v1/usage')).status;
    assert.equal(shown, 200);
  }

  // Keys: the node ahead does not end one early, the node behind does not keep one longer.
  const ending = await cluster.newKey('default', Date.now() + HOUR / 2);
  const statusesOf = (of: string) =>
    each(async ({ url }) => (await ask({ url, key: of }, 'GET', `${EVENTS}/feed?limit=1`)).status);
  assert.deepEqual(await statusesOf(ending), [200, 200, 200]);
  const short = await cluster.newKey('default', Date.now() + 3_000);
  await eventually('the key ends', async () => (await statusesOf(short)).every((status) => status === 401), 10_000);

  // Sessions: begun at any node, valid at all.
  const email = 'person@example.com';
  await cluster.useState(async ({ tenants, users }) => {
    const { id } = await tenants.get('default');
    await users.create(id, { email, name: 'Person', role: 'USER', password: PASSWORD } as never, null);
  });
  for (const { url } of nodes) {
    const login = await ask({ url, key: '' }, 'POST', `${PORTAL}/login`, { email, password: PASSWORD });
    assert.equal(login.status, 200, JSON.stringify(login.body));
    const headers = { authorization: `Bearer ${login.body.token}` };
    const me = await Promise.all(nodes.map((node) => fetch(`${node.url}${PORTAL}/sessions`, { headers })));
    assert.deepEqual(
      me.map(({ status }) => status),
      [200, 200, 200],
    );
    const { sessions } = (await me[0]!.json()) as { sessions: { createdAt: string }[] };
    for (const { createdAt } of sessions) assertNow(createdAt, 'a session began');
  }

  // Receipts, the time of events without one, and relative dates.
  const receipts = await each(async (desk) => {
    const { status, body } = await ask(desk, 'POST', EVENTS, { events: [{ eventName: 'timed' }] });
    assert.equal(status, 202);
    return body.receipt as string;
  });
  for (const receipt of receipts) {
    await each(async ({ url }) => {
      const headers = { 'x-api-key': key, 'x-wait-for': receipt };
      const response = await fetch(`${url}${EVENTS}/feed?eventName=timed`, { headers });
      assert.equal(response.status, 200);
      await response.text();
    });
  }
  const recent = await each((desk) =>
    ask(desk, 'POST', `${EVENTS}/query`, { eventName: 'timed', mode: 'raw', dateFrom: '-1h' }),
  );
  for (const { body } of recent) {
    assert.equal(body.rows?.length, 3, JSON.stringify(body));
    for (const { timestamp } of body.rows) assertNow(timestamp, 'an event');
  }

  // Alerts and their deliveries: one check and one message a minute, whichever node makes them.
  // Days are checked once they are complete.
  const yesterday = new Date(Date.now() - 24 * HOUR).toISOString();
  const sold = await ask({ url: nodes[0]!.url, key }, 'POST', EVENTS, {
    events: [{ eventName: 'sold', timestamp: yesterday }],
  });
  assert.equal(sold.status, 202, JSON.stringify(sold.body));
  const target = { type: 'webhook', url: `${sink.url}/alert` };
  const created = await ask({ url: nodes[1]!.url, key }, 'POST', ALERTS, {
    ...{
      title: 'sold',
      question: { eventName: 'sold', aggregation: 'count', dateGrouping: 'day' },
      every: '* * * * *',
    },
    ...{ condition: { type: 'threshold', operator: 'gt', value: 0 }, cooldown: 0, targets: [target] },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const alert = `${ALERTS}/${created.body.alert.id}`;
  const load = new MixedLoad(t, { url: cluster.url, key, seed: 5 });
  const isSent = async () => {
    // Connections that rest for longer than a node keeps them may end with the next request.
    await Promise.all(Array.from({ length: 4 }, () => each((desk) => ask(desk, 'GET', alert))));
    return sink.received.length > 0;
  };
  await eventually('the alert sends', isSent, 90_000);
  await load.stop();
  const shown = await each((desk) => ask(desk, 'GET', alert));
  for (const { body } of shown) {
    assert.equal(body.alert.state, 'alerting');
    assertNow(body.alert.lastCheck.at, 'a check');
  }
  const { body: history } = await ask({ url: nodes[2]!.url, key }, 'GET', `${alert}/history?limit=100`);
  assert.equal(history.changes.length, 1);
  assert.deepEqual(
    history.deliveries.map(({ state }: { state: string }) => state),
    ['sent'],
  );
  assert.equal(sink.received.length, 1, 'one message');
  assertNow(Number(sink.received[0]!.headers['webhook-timestamp']) * 1_000, 'a message');

  // Leases: whoever moves events or reads files, all of it is there once.
  assert.deepEqual(load.unexpected, []);
  await checkStored(cluster, load);
  await checkDocuments(cluster, load, key);
  await checkEqualAnswers(cluster, key);
  assert.deepEqual(failuresOf(cluster).others, []);
  const { rows } = await cluster.pool.query<{ until: number }>(
    'SELECT (extract(epoch FROM held_until) * 1000)::float8 AS until FROM leases',
  );
  for (const { until } of rows) assertNow(until, 'a lease');
});
