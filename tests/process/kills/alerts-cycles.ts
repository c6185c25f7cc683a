import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { Webhook } from 'standardwebhooks';
import { STATE_FILE } from '../../../src/storage/installation/names.ts';
import { startMailServer } from '../../senders/mail-support.ts';
import { LOOPBACK, type Received, startSink } from '../../senders/support.ts';
import { EVENTS } from '../../support/app.ts';
import { createKey, eventually, newDataDirectory, type Server, startServer } from '../../support/process.ts';
import { tlsFile } from '../../support/tls.ts';
import { fastTime, type KillPoint } from './alerts-clock.ts';
import { Flips } from './alerts-flips.ts';

const ALERTS = '/api/v1/runtime/observability/alerts';
const PRELOAD = new URL('./alerts-preload.ts', import.meta.url).href;
const COUNT = 3;
const PATIENCE_MS = 20_000;

/** Where a life of the server ends: at a point, or after so many milliseconds. */
export type Life = KillPoint | number;

interface Alert {
  id: string;
  secret: string;
  flips: Flips;
}

interface Change {
  id: string;
  at: string;
  from: string;
  to: string;
  notified: boolean;
}

interface StoredMessage {
  id: string;
  source_id: string;
  type: string;
  target_type: string;
  state: string;
  error: string | null;
}

/** Kills the server at the end of each life while alerts change, then compares what everyone has. */
export async function alertsSurviveKills(t: TestContext, lives: readonly Life[]): Promise<void> {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const sink = await startSink(t, (response) => setTimeout(() => response.writeHead(204).end(), Math.random() * 30));
  const mail = await startMailServer(t, { trusted: false });
  const began = Date.now();
  const start = (life?: Life) =>
    startServer(t, dataDir, {
      environment: {
        NODE_OPTIONS: `--import ${PRELOAD}`,
        NODE_EXTRA_CA_CERTS: tlsFile('first.pem'),
        TEST_BEGAN: String(began),
        ...(typeof life === 'string' && { TEST_KILL_AT: life }),
        AGENT_RUNTIME_RATE_LIMIT: '0',
        AGENT_RUNTIME_ALERT_NETWORKS: LOOPBACK.join(','),
        AGENT_RUNTIME_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
        AGENT_RUNTIME_SMTP_FROM: 'alerts@example.com',
      },
    });
  const alerts: Alert[] = [];
  const aim = (server: Server | null) => alerts.forEach(({ flips }) => void flips.aim(server));
  for (const life of lives) {
    const server = await start(life);
    while (alerts.length < COUNT) alerts.push(await createAlert(server, key, `${sink.url}/${alerts.length}`));
    aim(server);
    if (typeof life === 'number') await sleep(life);
    else await killedAt(server, life);
    aim(null);
    await server.end('SIGKILL');
  }
  const server = await start();
  aim(server);
  const histories = new Map(
    await Promise.all(
      alerts.map(async (alert) => [alert.id, await settledHistory(server, key, alert, began)] as const),
    ),
  );
  await compareEvents(server, key, histories);
  const { code, stderr } = await server.end('SIGTERM');
  assert.deepEqual([code, stderr], [0, '']);
  const stored = storedMessages(dataDir);
  compareMessages(stored, histories);
  compareWebhooks(t, sink.received, { stored, alerts });
  const mails = mail.mails.map(({ text }) => /^Message-ID: <(.*)@example\.com>$/im.exec(text)?.[1]);
  assert.deepEqual(new Set(mails), idsOf(stored, 'email'), 'e-mails have the ids of the messages');
  const changes = [...histories.values()].flat().length;
  assert.ok(changes > lives.length, `only ${changes} changes`);
}

async function createAlert(server: Server, key: string, url: string): Promise<Alert> {
  const eventName = `order-${url.at(-1)}`;
  const { status, body } = await server.request(key, 'POST', ALERTS, {
    title: eventName,
    question: { eventName, aggregation: 'sum', propertyKey: 'change', dateGrouping: 'month' },
    condition: { type: 'threshold', operator: 'gt', value: 0 },
    every: '* * * * *',
    cooldown: 0,
    targets: [
      { type: 'webhook', url },
      { type: 'email', to: [`${eventName}@example.com`] },
    ],
  });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.alert.id, secret: body.newSecrets[0].secret, flips: new Flips(key, eventName) };
}

async function killedAt(server: Server, point: KillPoint): Promise<void> {
  server.child.kill('SIGUSR2');
  await eventually(point, async () => server.child.signalCode !== null, PATIENCE_MS);
}

/** Once the alert is off for good and every message is sent. Oldest first. */
async function settledHistory(server: Server, key: string, { id, flips }: Alert, began: number): Promise<Change[]> {
  const receipt = await flips.stop();
  const question = { eventName: 'any', mode: 'raw' };
  const { status } = await server.request(key, 'POST', `${EVENTS}/query`, question, { 'x-wait-for': receipt });
  assert.equal(status, 200);
  // A check that is under way may not have seen the last event.
  const visibleAt = fastTime(Date.now(), began) + 2 * 60_000;
  const settled = async () => {
    const { alert } = (await server.request(key, 'GET', `${ALERTS}/${id}`)).body;
    if (alert.state !== 'ok' || Date.parse(alert.lastCheck.at) < visibleAt) return false;
    const { body } = await server.request(key, 'GET', `${ALERTS}/${id}/history?limit=500`);
    const isSent = body.deliveries.every(({ state }: { state: string }) => state === 'sent');
    return isSent && body.changes;
  };
  const { found } = await eventually('messages are sent', settled, 30_000);
  return found.toReversed();
}

async function compareEvents(server: Server, key: string, histories: Map<string, Change[]>): Promise<void> {
  const columns = ['properties.alertId', 'properties.from', 'properties.to', 'timestamp'];
  const question = { eventName: 'runtime.alert_changed', mode: 'raw', agentId: '*', columns, limit: 1_000 };
  const expected = [...histories].flatMap(([id, changes]) => changes.map(({ from, to, at }) => [id, from, to, at]));
  const ask = async () => {
    const { status, body } = await server.request(key, 'POST', `${EVENTS}/query`, question);
    assert.equal(status, 200, JSON.stringify(body));
    const rows = body.rows.map((row: Record<string, unknown>) => columns.map((column) => row[column]));
    return rows.length >= expected.length && rows;
  };
  const { found } = await eventually('changes are events', ask, 10_000);
  assert.deepEqual(found.map(String).sort(), expected.map(String).sort());
}

function storedMessages(dataDir: string): StoredMessage[] {
  const database = new BetterSqlite3(join(dataDir, STATE_FILE), { readonly: true });
  try {
    return database
      .prepare<[], StoredMessage>('SELECT id, source_id, type, target_type, state, error FROM deliveries ORDER BY id')
      .all();
  } finally {
    database.close();
  }
}

/** One for each change and target, in the order of the changes. */
function compareMessages(stored: StoredMessage[], histories: Map<string, Change[]>): void {
  assert.deepEqual(
    stored.filter(({ state }) => state !== 'sent'),
    [],
  );
  for (const [id, changes] of histories) {
    assert.ok(changes.every(({ notified }) => notified));
    const sent = changes.map(({ to }) => `alert.${to}`);
    for (const target of ['webhook', 'email']) {
      const own = stored.filter(({ source_id, target_type }) => source_id === id && target_type === target);
      assert.deepEqual(
        own.map(({ type }) => type),
        sent,
        `${target} of ${id}`,
      );
    }
  }
}

function compareWebhooks(
  t: TestContext,
  received: Received[],
  { stored, alerts }: { stored: StoredMessage[]; alerts: Alert[] },
): void {
  const byId = Map.groupBy(received, ({ headers }) => headers['webhook-id'] as string);
  assert.deepEqual(new Set(byId.keys()), idsOf(stored, 'webhook'));
  t.mock.timers.enable({ apis: ['Date'] });
  for (const [index, { id: alertId, secret }] of alerts.entries()) {
    const own = [...byId].filter(([, [first]]) => first?.path === `/${index}`).sort();
    for (const [id, requests] of own) {
      assert.equal(new Set(requests.map(({ body }) => body)).size, 1, `${id} has one body`);
      for (const { headers, body } of requests) {
        t.mock.timers.setTime(Number(headers['webhook-timestamp']) * 1_000);
        const { data } = new Webhook(secret).verify(body, headers as Record<string, string>) as {
          data: Record<string, unknown>;
        };
        assert.equal(data.alertId, alertId);
      }
    }
  }
  t.mock.timers.reset();
}

function idsOf(stored: StoredMessage[], target: string): Set<string> {
  return new Set(stored.filter(({ target_type }) => target_type === target).map(({ id }) => id));
}
