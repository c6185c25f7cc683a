import assert from 'node:assert/strict';
import { LOOPBACK, startSink } from '../../senders/support.ts';
import { EVENTS } from '../../support/app.ts';
import { ask } from '../../support/knowledge.ts';
import { PORTAL } from '../../support/people.ts';
import { hasNodes } from '../../support/postgres-state.ts';
import { eventually } from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { PASSWORD } from '../../support/second-factor.ts';
import { checkDocuments, checkEqualAnswers, checkStored, failuresOf } from './checks.ts';
import { MixedLoad } from './load.ts';
import { type Cluster, startCluster } from './support.ts';

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
