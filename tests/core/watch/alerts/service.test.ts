import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALERTS, alertApp, CARDS, eventsAt, FEW, few, HOOK, HOURLY } from './support.ts';

test('Alerts: one message for each state, and for the end', async (t) => {
  const { app, id } = await few(t, { title: 'Few orders', every: '*/5 * * * *' });
  await app.ingest([...eventsAt('2026-11-24T08:30:00Z', 20), ...eventsAt('2026-11-24T09:30:00Z', 4)]);
  await app.until('2026-11-24T10:30:00Z');
  assert.deepEqual(await app.messages(id), ['alert.alerting: Few orders: 4 is below 10']);
  const { state, lastCheck, nextCheckAt } = await app.stateOf(id);
  assert.equal(state, 'alerting');
  const { cases, ...found } = lastCheck;
  assert.equal((await app.request('GET', `/api/v1/runtime/observability/cases/${cases}`)).body.total, 4);
  assert.deepEqual(found, {
    at: '2026-11-24T10:30:00.000Z',
    bucket: '2026-11-24T09:00:00+00:00',
    value: 4,
    comparedWith: 10,
    error: null,
  });
  assert.equal(nextCheckAt, '2026-11-24T10:35:00.000Z');
  await app.ingest(eventsAt('2026-11-24T10:30:00Z', 12));
  await app.until('2026-11-24T11:00:00Z');
  assert.equal((await app.stateOf(id)).state, 'alerting', 'one good check may be chance');
  await app.until('2026-11-24T11:20:00Z');
  assert.deepEqual(await app.messages(id), [
    'alert.alerting: Few orders: 4 is below 10',
    'alert.ok: Few orders: 12, the condition no longer holds',
  ]);
  const { changes, total, deliveries } = await app.history(id);
  assert.deepEqual(
    changes.map(({ from, to, value, notified }: Record<string, unknown>) => [from, to, value, notified]),
    [
      ['alerting', 'ok', 12, true],
      ['ok', 'alerting', 4, true],
    ],
  );
  assert.equal(total, 2);
  assert.equal(deliveries.length, 2);
});

test('Alerts: changes of state are events that questions can be asked about, once each', async (t) => {
  const { app, id } = await few(t, { title: 'Few orders', every: '*/5 * * * *', targets: [] });
  await app.until('2026-11-24T10:05:00Z');
  await app.restart();
  await app.runtime.eventStore.settle();
  const question = {
    eventName: 'runtime.alert_changed',
    mode: 'raw',
    agentId: '*',
    columns: ['properties.title', 'properties.from', 'properties.to', 'properties.value', 'properties.alertId'],
  };
  const { body } = await app.request('POST', '/api/v1/runtime/v1/observability/events/query', question);
  assert.deepEqual(body.rows, [
    {
      'properties.title': 'Few orders',
      'properties.from': 'ok',
      'properties.to': 'alerting',
      'properties.value': 0,
      'properties.alertId': id,
    },
  ]);
});

test('Alerts: within the cool-down no message is sent, at its end one is', async (t) => {
  const { app, id } = await few(t, { every: '*/10 * * * *', cooldown: 3 * 3_600 });
  for (const hour of ['10', '13']) await app.ingest(eventsAt(`2026-11-24T${hour}:30:00Z`, 10));
  await app.until('2026-11-24T14:20:00Z');
  const bad = 'alert.alerting: Few: 0 is below 10';
  const good = 'alert.ok: Few: 10, the condition no longer holds';
  assert.deepEqual(await app.messages(id), [bad, good, bad, good]);
  const sent = (await app.history(id)).changes.map(({ at, to }: { at: string; to: string }) => [at.slice(11, 16), to]);
  assert.deepEqual(sent.toReversed(), [
    ['10:00', 'alerting'],
    ['11:10', 'ok'],
    ['12:00', 'alerting'],
    ['13:00', 'alerting'],
    ['14:10', 'ok'],
  ]);
});

test('Alerts: a message for three failed checks, and for the first that works', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const cardId = await app.card();
  const id = await app.create({
    title: 'Orders',
    cardId,
    condition: { type: 'no_data' },
    every: '* * * * *',
    targets: [HOOK],
  });
  await app.ingest(eventsAt('2026-11-23T10:00:00Z', 1));
  await app.until('2026-11-24T10:00:00Z');
  assert.equal((await app.stateOf(id)).state, 'ok');
  await app.request('DELETE', `${CARDS}/${cardId}`);
  await app.until('2026-11-24T10:02:00Z');
  assert.deepEqual(await app.messages(id), [], 'one failure may be a restart');
  await app.until('2026-11-24T10:05:00Z');
  const [failing, ...others] = await app.messages(id);
  assert.match(failing!, /^alert\.failing: Orders: the check fails\. .*card/);
  assert.deepEqual(others, []);
  const question = { eventName: 'order', aggregation: 'count' };
  const changed = await app.request('PATCH', `${ALERTS}/${id}`, { question });
  assert.equal(changed.body.alert.state, 'ok', JSON.stringify(changed.body));
  assert.equal(changed.body.alert.cardId, undefined);
});

test('Alerts: a clock that jumps neither repeats nor loses a message', async (t) => {
  const { app, id } = await few(t, { every: '0 * * * *' });
  await app.until('2026-11-24T10:01:00Z');
  const sent = ['alert.alerting: Few: 0 is below 10'];
  assert.deepEqual(await app.messages(id), sent);
  await app.jump('2026-11-26T10:01:00Z');
  assert.deepEqual(await app.messages(id), sent);
  await app.jump('2026-11-24T10:03:00Z');
  const { nextCheckAt } = await app.stateOf(id);
  assert.equal(nextCheckAt, '2026-11-24T11:00:00.000Z', 'checks go on by the right clock');
  await app.ingest([...eventsAt('2026-11-24T10:30:00Z', 10), ...eventsAt('2026-11-24T11:30:00Z', 10)]);
  await app.until('2026-11-24T12:01:00Z');
  assert.deepEqual(await app.messages(id), [...sent, 'alert.ok: Few: 10, the condition no longer holds']);
});

test('Alerts: where clocks change, each day is checked once and whole', async (t) => {
  // In Berlin the 25th of October has 25 hours.
  const app = await alertApp(t, '2026-10-24T22:30:00Z');
  const question = { eventName: 'order', aggregation: 'count' };
  const id = await app.create({
    title: 'Orders of the day',
    question,
    condition: { type: 'threshold', operator: 'gte', value: 25 },
    every: '30 2 * * *',
    timezone: 'Europe/Berlin',
    cooldown: 0,
  });
  const hours = Array.from(
    { length: 25 },
    (_, hour) => new Date(Date.parse('2026-10-24T22:00:00Z') + hour * 3_600_000),
  );
  await app.ingest(hours.flatMap((hour) => eventsAt(hour.toISOString(), 1)));
  const checks: [string, string, number][] = [];
  for (const due of ['2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z', '2026-10-27T01:30:00Z']) {
    const [before, after] = [-3, 3].map((minutes) => new Date(Date.parse(due) + minutes * 60_000).toISOString());
    await app.jump(before!);
    assert.equal((await app.stateOf(id)).lastCheck?.at ?? null, checks.at(-1)?.[0] ?? null);
    await app.until(after!);
    const { at, bucket, value } = (await app.stateOf(id)).lastCheck;
    checks.push([at, bucket, value]);
  }
  assert.deepEqual(checks, [
    ['2026-10-25T00:30:00.000Z', '2026-10-24T00:00:00+02:00', 0],
    ['2026-10-26T01:30:00.000Z', '2026-10-25T00:00:00+02:00', 25],
    ['2026-10-27T01:30:00.000Z', '2026-10-26T00:00:00+01:00', 0],
  ]);
});

test('Alerts: a metric has the value that its questions have', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const part = (eventName: string) => ({ eventName, aggregation: 'count' });
  const metric = {
    name: 'resolution_rate',
    title: 'Resolution rate',
    goodDirection: 'up',
    formula: { expression: 'resolved / started', parts: { resolved: part('resolved'), started: part('started') } },
  };
  assert.equal((await app.request('POST', '/api/v1/runtime/observability/metrics', metric)).status, 201);
  await app.ingest([
    ...eventsAt('2026-11-23T10:00:00Z', 7, 'started'),
    ...eventsAt('2026-11-23T11:00:00Z', 3, 'resolved'),
  ]);
  const condition = { type: 'threshold', operator: 'lt', value: 0.5 };
  const id = await app.create({ title: 'Resolution', metric: 'resolution_rate', condition });
  const range = { dateFrom: '2026-11-23T00:00:00Z', dateTo: '2026-11-24T00:00:00Z' };
  const asked = await app.runtime.events.aggregate(app.caller, { metric: 'resolution_rate', ...range });
  const { body } = await app.request('POST', `${ALERTS}/${id}/test`);
  assert.equal(body.test.value, asked.value);
  assert.equal(body.test.state, 'alerting');
  assert.equal((await app.stateOf(id)).state, 'ok', 'a test changes nothing');
});

test('Alerts: a webhook secret is shown once, and kept by changes that leave it out', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const created = await app.request('POST', ALERTS, {
    title: 'Few',
    question: HOURLY,
    condition: FEW,
    targets: [HOOK],
  });
  const { alert, newSecrets } = created.body;
  assert.match(newSecrets[0].secret, /^whsec_/);
  assert.deepEqual(alert.targets, [HOOK]);
  const changed = await app.request('PATCH', `${ALERTS}/${alert.id}`, { targets: [HOOK], title: 'Fewer' });
  assert.deepEqual(changed.body.newSecrets, []);
  const stored = await app.runtime.alertStore.find(app.tenantId, alert.id);
  const source = { kind: 'alert' as const, id: alert.id };
  const [target] = app.runtime.deliveries.openTargets(app.tenantId, source, stored!.sealedTargets);
  assert.equal((target as { secret: string }).secret, newSecrets[0].secret);
  assert.equal(JSON.stringify(await app.stateOf(alert.id)).includes('whsec_'), false);
});

test('Alerts: targets whose key is lost break no list, and can be set again', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const body = { title: 'Few', question: HOURLY, condition: FEW, every: '* * * * *', targets: [HOOK] };
  const [id, other] = [await app.create(body), await app.create(body)];
  const { alertStore: store } = app.runtime;
  const { sealedTargets } = (await store.find(app.tenantId, other))!;
  await store.replace({ ...(await store.find(app.tenantId, id))!, sealedTargets }, null);
  const { alerts } = (await app.request('GET', ALERTS)).body;
  assert.deepEqual(
    alerts.map(({ targets }: { targets: unknown[] }) => targets),
    [[HOOK], []],
  );
  await app.until('2026-11-24T10:00:00Z');
  const { state } = await app.stateOf(id);
  assert.deepEqual([state, await app.messages(id)], ['alerting', []]);
  const tested = await app.request('POST', `${ALERTS}/${id}/test`);
  assert.deepEqual([tested.status, /set the targets again/.test(tested.body.message)], [422, true]);
  const changed = await app.request('PATCH', `${ALERTS}/${id}`, { targets: [HOOK] });
  assert.equal(changed.body.newSecrets.length, 1);
  await app.until('2026-11-24T10:03:00Z');
  assert.deepEqual(await app.messages(id), ['alert.alerting: Few: 0 is below 10']);
});

test('Alerts: a change that changes nothing keeps the state', async (t) => {
  const { app, id } = await few(t);
  await app.until('2026-11-24T10:00:00Z');
  const same = { question: HOURLY, condition: FEW, enabled: true };
  assert.equal((await app.request('PATCH', `${ALERTS}/${id}`, same)).body.alert.state, 'alerting');
  const other = { condition: { ...FEW, value: 5 } };
  assert.equal((await app.request('PATCH', `${ALERTS}/${id}`, other)).body.alert.state, 'ok');
});

test('Alerts: a change skips no check that is due', async (t) => {
  const { app, id } = await few(t, { every: '0 10 * * *' });
  app.clock.time = Date.parse('2026-11-24T10:00:01Z');
  await app.request('PATCH', `${ALERTS}/${id}`, { title: 'Too few' });
  await app.until('2026-11-24T10:02:00Z');
  assert.deepEqual(await app.messages(id), ['alert.alerting: Too few: 0 is below 10']);
});

test('Alerts: one whose card is gone can be switched off', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const cardId = await app.card();
  const id = await app.create({ title: 'Orders', cardId, condition: { type: 'no_data' } });
  await app.request('DELETE', `${CARDS}/${cardId}`);
  const { status, body } = await app.request('PATCH', `${ALERTS}/${id}`, { enabled: false });
  assert.deepEqual([status, body.alert?.nextCheckAt], [200, null]);
  assert.equal((await app.request('PATCH', `${ALERTS}/${id}`, { enabled: true })).status, 404);
});

test('Alerts: one that is switched off is not checked; switched on it begins with ok', async (t) => {
  const { app, id } = await few(t, { enabled: false });
  await app.until('2026-11-24T10:05:00Z');
  assert.equal((await app.stateOf(id)).lastCheck, null);
  await app.request('PATCH', `${ALERTS}/${id}`, { enabled: true });
  await app.until('2026-11-24T10:07:00Z');
  assert.deepEqual(await app.messages(id), ['alert.alerting: Few: 0 is below 10']);
});

test('Alerts: invalid definitions are refused with the member and the remedy', async (t) => {
  const app = await alertApp(t, '2026-11-24T09:58:00Z');
  const valid = { title: 'Few', question: HOURLY, condition: FEW };
  const cases: [object, RegExp][] = [
    [{ ...valid, metric: 'x' }, /question: send one of metric, question and cardId/],
    [{ title: 'Few', condition: FEW }, /metric: send one of/],
    [{ title: 'Few', metric: 'unknown', condition: FEW }, /metric: there is no metric "unknown"/],
    [{ ...valid, every: 'hourly' }, /every: must have 5 fields/],
    [{ ...valid, every: '0 0 30 2 *' }, /every: .* never comes/],
    [{ ...valid, timezone: 'Mars/Base' }, /timezone/],
    [
      { ...valid, condition: { type: 'threshold', operator: 'below', value: 1 } },
      /condition\.operator: must be one of gt/,
    ],
    [{ ...valid, condition: { ...FEW, clear: 9 } }, /condition\.clear: must not be beyond value/],
    [{ ...valid, condition: { ...FEW, operator: 'gte', clear: 11 } }, /condition\.clear: must not be beyond value/],
    [{ ...valid, question: { ...HOURLY, dateFrom: 'today' } }, /question\.dateFrom: unknown member/],
    [
      { ...valid, question: { ...HOURLY, dateGrouping: 'month' }, condition: { type: 'anomaly' } },
      /anomaly needs hours, days or weeks/,
    ],
    [{ ...valid, question: { eventName: 'order', aggregation: 'sum' } }, /question\.propertyKey/],
    [
      { ...valid, targets: [{ type: 'email', to: ['a@example.com'] }] },
      /targets\[0\]: this server sends no e-mail; set AGENT_RUNTIME_SMTP_URL/,
    ],
    [{ ...valid, cooldown: -1 }, /cooldown: must be a whole number of seconds/],
  ];
  for (const [body, message] of cases) {
    const answer = await app.request('POST', ALERTS, body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.match(JSON.stringify(answer.body.message).replaceAll('\\"', '"'), message);
  }
});

test('Alerts: another tenant finds neither alert nor history', async (t) => {
  const { app, id } = await few(t, { targets: [], every: '0 * * * *' });
  await app.runtime.tenants.create({ name: 'other' });
  const headers = { 'x-api-key': await app.newKey({ tenant: 'other' }) };
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/history'],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/test'],
  ] as const) {
    const body = method === 'PATCH' ? { title: 'Mine' } : undefined;
    assert.equal((await app.request(method, `${ALERTS}/${id}${path}`, body, headers)).status, 404, `${method} ${path}`);
  }
  assert.equal((await app.request('GET', ALERTS, undefined, headers)).body.total, 0);
});
