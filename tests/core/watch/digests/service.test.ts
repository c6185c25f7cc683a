import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RenderedCard } from '../../../../src/core/analytics/dashboards/render.ts';
import type { DateGrouping } from '../../../../src/core/analytics/events/fields.ts';
import { RuntimeError } from '../../../../src/core/base/shared/errors.ts';
import { bucketsBetween } from '../../../../src/core/base/time/time.ts';
import { digestSummaryOf } from '../../../../src/core/watch/digests/message.ts';
import { ALERTS, alertApp, DIGESTS, eventsAt } from '../alerts/support.ts';

const HOOK = { type: 'webhook', url: 'https://hooks.example.com/digests' };
const MAIL = { type: 'email', to: ['team@example.com'] };
const SMTP = { smtpUrl: 'smtp://127.0.0.1:1', smtpFrom: 'Runtime <runtime@example.com>' };
const DASHBOARD = '/api/v1/runtime/observability/dashboard';

test('Digests: numbers, charts and what changed, on the schedule of the zone', async (t) => {
  // Clocks in Berlin are set back on the 25th.
  const app = await alertApp(t, '2026-10-23T09:58:00Z', SMTP);
  const tab = await app.request('POST', `${DASHBOARD}-tabs`, { name: 'Sales' });
  const card = (title: string, cardType: string, config: object = {}) =>
    app.request('POST', `${DASHBOARD}-cards`, {
      title,
      cardType,
      tabId: tab.body.id,
      config: { eventName: 'order', aggregation: 'count', dateFrom: '2026-10-01', ...config },
    });
  await card('Orders', 'number');
  await card('Orders by day', 'line', { dateGrouping: 'day' });
  await app.ingest(eventsAt('2026-10-23T08:00:00Z', 10));
  const created = await app.request('POST', DIGESTS, {
    title: 'Every morning',
    tabId: tab.body.id,
    every: '0 8 * * *',
    timezone: 'Europe/Berlin',
    targets: [HOOK, MAIL],
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const { id, nextAt } = created.body.digest;
  assert.equal(nextAt, '2026-10-24T06:00:00.000Z');
  await app.jump('2026-10-24T05:55:00Z');
  await app.until('2026-10-24T07:00:00Z');
  await app.ingest(eventsAt('2026-10-24T08:00:00Z', 5));
  await app.request('POST', '/api/v1/runtime/observability/annotations', {
    text: 'Release 2.3',
    at: '2026-10-24T09:00:00Z',
  });
  await app.jump('2026-10-25T06:55:00Z');
  await app.until('2026-10-25T08:00:00Z');
  const texts = await textsOf(app, id);
  assert.deepEqual(texts, [
    ['2026-10-24T06:00:00.000Z', 'Orders: 10\nOrders by day: 10 in the bucket from 2026-10-23'],
    [
      '2026-10-25T07:00:00.000Z',
      'Orders: 15 (up 50.0% since the last digest)\nOrders by day: 5 in the bucket from 2026-10-24 (down 50.0% since the last digest)\nWhat happened:\n2026-10-24: Release 2.3',
    ],
  ]);
});

test('Digests: an e-mail has a picture of each card, with its text', async (t) => {
  const app = await alertApp(t, '2026-10-23T09:58:00Z', SMTP);
  const cardId = await app.card({ title: 'Orders <all>' });
  const { body } = await app.request('POST', DIGESTS, { title: 'Numbers', cardIds: [cardId], targets: [MAIL] });
  const sent = await app.request('POST', `${DIGESTS}/${body.digest.id}/test`);
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  assert.equal(sent.body.deliveries[0].target, 'team@example.com');
  const [message] = await messagesOf(app, body.digest.id);
  const [picture] = message.pictures;
  assert.equal(Buffer.from(picture.png, 'base64').subarray(1, 4).toString(), 'PNG');
  assert.match(message.html, new RegExp(`<img src="cid:${picture.cid}" alt="Orders &lt;all&gt;: 0"`));
  assert.equal(message.html.includes('<all>'), false);
});

test('Digests, alerts: messages are in the language of the definition', async (t) => {
  const app = await alertApp(t, '2026-10-23T09:58:00Z', SMTP);
  const cardId = await app.card({ title: 'Pedidos' });
  await app.ingest(eventsAt('2026-10-22T08:00:00Z', 1_234));
  const created = await app.request('POST', DIGESTS, {
    ...{ title: 'Números', cardIds: [cardId], language: 'pt', targets: [MAIL] },
  });
  assert.equal(created.body.digest.language, 'pt');
  await app.request('POST', `${DIGESTS}/${created.body.digest.id}/test`);
  const [digest] = await messagesOf(app, created.body.digest.id);
  assert.equal(digest.text, 'Pedidos: 1.234');
  assert.match(digest.html, /<html lang="pt-BR">/);

  const question = { eventName: 'order', aggregation: 'count', dateGrouping: 'day' };
  const condition = { type: 'threshold', operator: 'gt', value: 1_000 };
  const id = await app.create({ title: 'Muitos', question, condition, language: 'pt', targets: [MAIL] });
  await app.request('POST', `${ALERTS}/${id}/test`);
  const [alert] = await app.messages(id);
  assert.equal(alert, 'alert.test: Teste: Muitos: 1.234 está acima de 1.000');
  const changed = await app.request('PATCH', `${ALERTS}/${id}`, { language: 'en' });
  assert.equal(changed.body.alert.language, 'en');
  const refused = await app.request('PATCH', `${ALERTS}/${id}`, { language: 'fr' });
  assert.deepEqual(refused.body.message, ['language: must be en or pt']);
});

test('Digests: one whose dashboard is gone says so', async (t) => {
  const app = await alertApp(t, '2026-10-23T09:58:00Z');
  const tab = await app.request('POST', `${DASHBOARD}-tabs`, { name: 'Sales' });
  const { body } = await app.request('POST', DIGESTS, {
    title: 'Sales',
    tabId: tab.body.id,
    every: '0 10 * * *',
    targets: [HOOK],
  });
  await app.request('DELETE', `${DASHBOARD}-tabs/${tab.body.id}`);
  await app.until('2026-10-23T10:01:00Z');
  const [message] = await messagesOf(app, body.digest.id);
  assert.equal(message.type, 'digest.failed');
  assert.match(message.text, /^The digest could not be made: .*tab/);
  const { digest } = (await app.request('GET', `${DIGESTS}/${body.digest.id}`)).body;
  assert.match(digest.lastSent.error, /tab/);
});

test('Digests: a clock that jumps repeats none, and the next one comes in time', async (t) => {
  const app = await alertApp(t, '2026-10-23T07:58:00Z');
  const cardId = await app.card();
  const { body } = await app.request('POST', DIGESTS, {
    title: 'Orders',
    cardIds: [cardId],
    every: '0 8 * * *',
    targets: [HOOK],
  });
  const { id } = body.digest;
  await app.until('2026-10-23T08:05:00Z');
  assert.equal((await app.messages(id, 'digest')).length, 1);
  await app.jump('2026-10-23T07:55:00Z');
  await app.until('2026-10-23T07:58:00Z');
  assert.equal((await app.messages(id, 'digest')).length, 1, 'set back, it is not sent at once');
  await app.until('2026-10-23T08:10:00Z');
  assert.equal((await app.messages(id, 'digest')).length, 1, 'set back by a little, it is not sent again');
  await app.restart();
  await app.jump('2026-10-27T12:00:00Z');
  await app.until('2026-10-27T12:05:00Z');
  assert.equal((await app.messages(id, 'digest')).length, 2, 'days that were missed make one digest');
  assert.equal((await app.request('GET', `${DIGESTS}/${id}`)).body.digest.nextAt, '2026-10-28T08:00:00.000Z');
});

test('Digests: one whose targets do not open is not sent, and says so', async (t) => {
  const app = await alertApp(t, '2026-10-23T07:58:00Z');
  const cardId = await app.card();
  const definition = { title: 'Orders', cardIds: [cardId], every: '0 8 * * *', targets: [HOOK] };
  const [one, other] = [await app.request('POST', DIGESTS, definition), await app.request('POST', DIGESTS, definition)];
  const { digestStore: store } = app.runtime;
  const { id } = one.body.digest;
  const { sealedTargets } = (await store.find(app.tenantId, other.body.digest.id))!;
  await store.replace({ ...(await store.find(app.tenantId, id))!, sealedTargets }, null);
  await app.until('2026-10-23T08:01:00Z');
  const { lastSent, nextAt } = (await app.request('GET', `${DIGESTS}/${id}`)).body.digest;
  assert.match(lastSent.error, /their key is lost/);
  assert.equal(nextAt, '2026-10-24T08:00:00.000Z');
  assert.equal((await app.request('POST', `${DIGESTS}/${id}/test`)).status, 422);
});

test('Digests, alerts: a defect in making a message is told, and the next is made', async (t) => {
  const app = await alertApp(t, '2026-10-23T07:58:00Z');
  const cardId = await app.card();
  const sent = { every: '* * * * *', targets: [HOOK] };
  const { id } = (await app.request('POST', DIGESTS, { title: 'Orders', cardIds: [cardId], ...sent })).body.digest;
  const condition = { type: 'threshold', operator: 'lt', value: 10 };
  const alert = await app.create({
    title: 'Few',
    question: { eventName: 'order', aggregation: 'count' },
    condition,
    ...sent,
  });
  const prepare = t.mock.method(app.runtime.deliveries, 'prepare', async () => {
    throw new TypeError('a defect with a-secret');
  });
  await app.until('2026-10-23T08:00:00Z');
  const { lastSent, nextAt } = (await app.request('GET', `${DIGESTS}/${id}`)).body.digest;
  assert.deepEqual(
    [lastSent.error, nextAt],
    ['an internal error; see the log of the server', '2026-10-23T08:01:00.000Z'],
  );
  const { state, lastCheck } = await app.stateOf(alert);
  assert.deepEqual(
    [state, lastCheck.error],
    ['alerting', 'No message was sent: An internal error; see the log of the server.'],
  );
  prepare.mock.restore();
  await app.until('2026-10-23T08:02:00Z');
  assert.equal((await app.messages(alert)).length, 1);
  assert.ok((await app.messages(id, 'digest')).length > 0);
  assert.equal((await app.request('GET', `${DIGESTS}/${id}`)).body.digest.lastSent.error, null);
});

test('Digests: one waits 15 minutes for a server that cannot answer', async (t) => {
  const app = await alertApp(t, '2026-10-23T07:58:00Z');
  const cardId = await app.card();
  const sent = { title: 'Daily', cardIds: [cardId], every: '0 8 * * *', timezone: 'UTC', targets: [HOOK] };
  const { id } = (await app.request('POST', DIGESTS, sent)).body.digest;
  const error = new RuntimeError('unavailable', 'The events cannot be read.');
  t.mock.method(app.runtime.dashboards, 'renderMany', async () => [{ id: cardId, error }]);
  await app.until('2026-10-23T08:14:00Z');
  assert.deepEqual(await app.messages(id, 'digest'), []);
  await app.until('2026-10-23T08:16:00Z');
  const [[, text] = []] = await textsOf(app, id);
  assert.match(text!, /could not be shown: The events cannot be read\./);
});

test('Digests: invalid definitions are refused with the member and the remedy', async (t) => {
  const app = await alertApp(t, '2026-10-23T07:58:00Z');
  const cases: [object, number, RegExp][] = [
    [{ title: 'x' }, 400, /tabId: send one of tabId and cardIds/],
    [{ title: 'x', tabId: 'a', cardIds: ['b'] }, 400, /tabId: send one of/],
    [{ title: 'x', cardIds: Array.from({ length: 21 }, String) }, 400, /cardIds: must name 1 to 20 cards/],
    [{ title: 'x', cardIds: ['unknown'] }, 404, /no card|not.*card/i],
    [{ title: 'x', tabId: 'unknown' }, 404, /tab/],
  ];
  for (const [sent, status, message] of cases) {
    const { status: answered, body } = await app.request('POST', DIGESTS, sent);
    assert.equal(answered, status, JSON.stringify(body));
    assert.match(JSON.stringify(body.message), message);
  }
});

type App = Awaited<ReturnType<typeof alertApp>>;

/** As stored, oldest first: the dispatcher of the test's server has nowhere to send them. */
// biome-ignore lint/suspicious/noExplicitAny: messages have members of every shape
async function messagesOf(app: App, id: string): Promise<any[]> {
  const now = Date.parse('2099-01-01T00:00:00Z');
  const claimed = await app.runtime.deliveryStore.claim(app.tenantId, { now, leaseUntil: now, limit: 100 });
  return claimed.filter(({ delivery }) => delivery.source.id === id).map(({ body }) => JSON.parse(body));
}

/** Time and text of each webhook's digest. */
async function textsOf(app: App, id: string): Promise<[string, string][]> {
  const messages = await messagesOf(app, id);
  return [...new Map(messages.map(({ data, text }) => [data.at as string, text as string]))];
}

const AT = Date.parse('2026-03-30T09:30:00Z');

function shownBucket(unit: DateGrouping, from: string, to: string | null, timezone = 'UTC'): string {
  const range = { from: Date.parse(from), to: to === null ? AT : Date.parse(to), timezone };
  const series = bucketsBetween(unit, range, 1_000).map(({ label }) => ({ bucket: label, value: 1 }));
  const basis = { to, timezone };
  const card = { card: { id: 'c', title: 'Orders', cardType: 'line' }, data: { series }, basis };
  const { text } = digestSummaryOf(card as unknown as RenderedCard, { at: AT, before: undefined, language: 'en' });
  return text.replace('1 in the bucket from ', '');
}

test('summaryOf: a series shows the last bucket that is over, however its range ends', () => {
  const rows: [unit: DateGrouping, from: string, to: string | null, shown: string][] = [
    ['day', '2026-03-01', null, '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30T09:30:00Z', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-31', '2026-03-29'],
    ['day', '2026-03-01', '2026-04-10', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30', '2026-03-29'],
    ['day', '2026-03-01', '2026-03-30T08:00:00Z', '2026-03-29'],
    ['hour', '2026-03-29', '2026-03-30T09:30:01Z', '2026-03-30 08:00'],
    ['week', '2026-01-05', '2026-03-30', '2026-03-23'],
    ['month', '2025-10-01', '2026-03-30', '2026-02-01'],
    ['month', '2025-10-01', '2026-03-01', '2026-02-01'],
    ['quarter', '2025-01-01', '2026-03-30', '2025-10-01'],
    ['day', '2026-03-30', null, 'no data'],
    ['day', '2026-03-29', '2026-03-30', '2026-03-29'],
  ];
  for (const [unit, from, to, shown] of rows) assert.equal(shownBucket(unit, from, to), shown, `${unit} to ${to}`);
  // The 29th has 23 hours, and the weeks around it differ by one.
  assert.equal(shownBucket('day', '2026-03-27T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), '2026-03-29');
  assert.equal(shownBucket('week', '2026-03-15T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), '2026-03-23');
});
