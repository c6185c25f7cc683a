import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createLog } from '../../src/logging/log.ts';
import { startMailServer } from '../senders/mail-support.ts';
import { LOOPBACK, startSink } from '../senders/support.ts';
import { EVENTS, testApp } from '../support/app.ts';
import { eventually } from '../support/process.ts';
import { callerOf } from '../support/users.ts';

const ALERTS = '/api/v1/runtime/observability/alerts';
const DELIVERIES = '/api/v1/runtime/observability/deliveries';
const ALERT = {
  title: 'Few orders',
  question: { eventName: 'order', aggregation: 'count' },
  condition: { type: 'threshold', operator: 'lt', value: 10 },
  // No check comes between.
  every: '0 0 29 2 *',
};

interface Sent {
  target: string;
  state: string;
  attempts: number;
  error: string | null;
}

test('alerts: a test reaches webhook, Slack and e-mail, signed with its secret', async (t) => {
  const [sink, mail] = [await startSink(t), await startMailServer(t)];
  const smtp = { smtpUrl: `smtp://127.0.0.1:${mail.port}`, smtpFrom: 'alerts@example.com' };
  const app = await testApp(t, { alertNetworks: LOOPBACK, publicUrl: 'https://runtime.example.com', ...smtp });
  const targets = [
    { type: 'webhook', url: `${sink.url}/hook` },
    { type: 'slack', url: `${sink.url}/services/secret` },
    { type: 'email', to: ['ana@example.com'] },
  ];
  const { alert, newSecrets } = (await app.request('POST', ALERTS, { ...ALERT, targets })).body;
  const { test: sent } = (await app.request('POST', `${ALERTS}/${alert.id}/test`)).body;
  await eventually('all arrive', async () => sink.received.length === 2 && mail.mails.length === 1, 10_000);
  const hook = sink.received.find(({ path }) => path === '/hook');
  const { type, data } = new Webhook(newSecrets[0].secret).verify(
    hook!.body,
    hook!.headers as Record<string, string>,
  ) as { type: string; data: Record<string, unknown> };
  assert.deepEqual([type, data.alertId, data.value, data.state], ['alert.test', alert.id, 0, 'alerting']);
  assert.equal(data.cases, sent.cases);
  assert.equal(hook!.headers['webhook-id'], sent.deliveries[0].id);
  const slack = sink.received.find(({ path }) => path === '/services/secret');
  assert.match(slack!.body, /Test: Few orders: 0 is below 10/);
  assert.ok(slack!.body.includes(`Its events: https://runtime.example.com/cases/${sent.cases}`));
  assert.match(mail.mails[0]!.text, new RegExp(`Message-ID: <${sent.deliveries[2].id}@example.com>`));
  assert.equal((await app.request('GET', `${ALERTS}/${alert.id}`)).body.alert.state, 'ok', 'a test changes nothing');
});

test('alerts: failures are in history and events, and secrets nowhere', async (t) => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line) => lines.push(line) });
  const inner = await startSink(t);
  const sink = await startSink(t, (response) => response.writeHead(302, { location: inner.url }).end());
  const app = await testApp(t, { alertNetworks: ['127.0.0.0/8'] }, undefined, log);
  const targets = [
    { type: 'webhook', url: `${sink.url}/a-secret-hook` },
    { type: 'slack', url: 'http://10.1.2.3/services/a-secret-hook' },
  ];
  const created = await app.request('POST', ALERTS, { ...ALERT, targets });
  const { alert, newSecrets } = created.body;
  await app.request('POST', `${ALERTS}/${alert.id}/test`);
  const history = async (): Promise<Sent[]> =>
    (await app.request('GET', `${ALERTS}/${alert.id}/history`)).body.deliveries;
  const attempted = async () => {
    const sent = await history();
    return sent.every(({ attempts }) => attempts === 1) && sent;
  };
  const { found: sent } = await eventually('both are attempted', attempted, 10_000);
  assert.deepEqual(sent.map(({ target, state }) => [target, state]).sort(), [
    ['http://10.1.2.3', 'dead'],
    [sink.url, 'waiting'],
  ]);
  assert.deepEqual([sink.received.length, inner.received.length], [1, 0], 'redirects are not followed');
  const columns = ['properties.target', 'properties.isDead', 'properties.error', 'properties.sourceId'];
  const question = { eventName: 'runtime.delivery_failed', mode: 'raw', agentId: '*', columns };
  const recorded = async () => {
    const { body } = await app.request('POST', `${EVENTS}/query`, question);
    return body.rows.length === 2 && body.rows;
  };
  const { found: rows } = await eventually('both are events', recorded, 10_000);
  const shown = rows.map((row: Record<string, unknown>) => [row['properties.target'], row['properties.isDead']]);
  assert.deepEqual(shown.sort(), [
    ['slack', true],
    ['webhook', false],
  ]);
  await app.request('DELETE', `${ALERTS}/${alert.id}`);
  const { body: dead } = await app.request('GET', `${DELIVERIES}?state=dead`);
  const [letter] = dead.deliveries;
  assert.deepEqual([dead.total, letter.source, letter.target], [1, { kind: 'alert', id: alert.id }, 'http://10.1.2.3']);
  const everything = JSON.stringify([lines, sent, rows, dead]);
  for (const secret of ['a-secret-hook', newSecrets[0].secret]) assert.ok(!everything.includes(secret));
});

test('alerts: the tokens of URLs are shown to nobody who may not write them', async (t) => {
  const app = await testApp(t);
  const reader = await app.newKey({ scopes: ['alerts:read'] });
  const targets = [
    { type: 'webhook', url: 'https://chat.example.com/v1/a-secret-path?key=a-secret-key&token=a-secret-token' },
    { type: 'slack', url: 'https://hooks.example.com/services/a-secret-path' },
  ];
  const config = { eventName: 'order', aggregation: 'count' };
  const dashboard = '/api/v1/runtime/observability/dashboard-cards';
  const card = await app.request('POST', dashboard, { title: 'Orders', cardType: 'number', config });
  const digest = { title: 'Numbers', cardIds: [card.body.id], targets };
  const paths: string[] = [];
  for (const [path, body] of [
    [ALERTS, { ...ALERT, targets }],
    [ALERTS.replace('alerts', 'digests'), digest],
  ] as const) {
    const created = (await app.request('POST', path, body)).body;
    const { id } = created.alert ?? created.digest;
    await app.request('POST', `${path}/${id}/test`);
    paths.push(path, `${path}/${id}`, `${path}/${id}/history`);
    const whole = (await app.request('GET', `${path}/${id}`)).body;
    assert.equal((whole.alert ?? whole.digest).targets[0].url, targets[0]!.url, 'who may write them sees them');
  }
  for (const path of [...paths, DELIVERIES]) {
    const { status, body } = await app.request('GET', path, undefined, { 'x-api-key': reader });
    assert.equal(status, 200);
    assert.doesNotMatch(JSON.stringify(body), /a-secret/, path);
  }
  const admin = callerOf({ id: 'ana', tenantId: app.tenantId, email: 'ana@example.com', role: 'ADMIN' });
  const { items, total } = await app.runtime.audit.entries(admin, { limit: 100, offset: 0 });
  assert.ok(total >= 4);
  assert.doesNotMatch(JSON.stringify(items), /a-secret/);
});
