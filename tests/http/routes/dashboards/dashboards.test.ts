import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { rareTest } from '../../../support/rare.ts';
import {
  assertError,
  assertNames,
  CARDS,
  NUMBER,
  newDesk,
  newTenant,
  sharedApp,
  TABS,
  UTC,
  UUID_V7,
} from './support.ts';

const LAYOUT = { x: 0, y: 2, w: 6, h: 4.5 };

test('POST cards: a new card is 201 with all members, and reads the same', async () => {
  const desk = await newDesk();
  const tab = await desk.tab({ name: 'Sales' });
  const sent = { ...NUMBER, tabId: tab.id, gridLayout: LAYOUT, sortOrder: 7.5, idempotencyKey: 'orders/1' };
  const made = await desk.request('POST', CARDS, sent);
  assert.equal(made.status, 201);
  const { id, card } = made.body;
  assert.deepEqual(made.body, { success: true, created: true, id, card });
  const { createdAt, updatedAt, ...members } = card;
  assert.deepEqual(members, { id, agentId: desk.agentId, ...sent });
  assert.match(id, UUID_V7);
  assert.match(createdAt, UTC);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(await desk.cards(), { success: true, total: 1, cards: [card] });
  const found = await desk.request('GET', `${CARDS}/${id}`);
  assert.deepEqual([found.status, found.body], [200, { success: true, card }]);
});

test('POST cards: omitted members are null, and sortOrder comes last', async () => {
  const desk = await newDesk();
  const { gridLayout, tabId, idempotencyKey, sortOrder } = await desk.card();
  assert.deepEqual([gridLayout, tabId, idempotencyKey, sortOrder], [null, null, null, 0]);
  assert.equal((await desk.card({ idempotencyKey: 'second' })).sortOrder, 1);
});

test('POST cards: a repeated card is 200, updates title and config, keeps the rest', async () => {
  const desk = await newDesk();
  const tab = await desk.tab({ name: 'Sales' });
  const placed = { tabId: tab.id, gridLayout: LAYOUT, sortOrder: 3 };
  const first = await desk.card(placed);
  const config = { ...NUMBER.config, dateFrom: 'ytd', format: { decimals: 0 } };
  const again = await desk.request('POST', CARDS, { ...NUMBER, title: 'Renamed', config });
  assert.equal(again.status, 200);
  const { card } = again.body;
  assert.deepEqual(again.body, { success: true, created: false, id: first.id, card, notes: again.body.notes });
  assert.deepEqual(card, { ...first, title: 'Renamed', config, updatedAt: card.updatedAt });
  assert.ok(card.updatedAt >= first.updatedAt);
  assert.deepEqual(await desk.cards(), { success: true, total: 1, cards: [card] });
  const moved = await desk.card({ gridLayout: { ...LAYOUT, x: 1 }, sortOrder: -2 });
  assert.deepEqual([moved.tabId, moved.gridLayout.x, moved.sortOrder], [tab.id, 1, -2]);
  const emptied = await desk.card({ tabId: null, gridLayout: null });
  assert.deepEqual([emptied.tabId, emptied.gridLayout, emptied.sortOrder], [null, moved.gridLayout, -2]);
});

test("dashboards: agentId defaults to the key's agent; without either all, or default", async () => {
  const app = await sharedApp();
  const [desk, other] = [await newDesk(), await newDesk()];
  const mine = await desk.card();
  const named = await desk.request('POST', CARDS, { ...NUMBER, agentId: other.agentId });
  assert.deepEqual([named.status, named.body.card.agentId], [201, other.agentId]);
  assert.notEqual(named.body.id, mine.id);
  await desk.tab({ name: 'Mine' });
  const unbound = { 'x-api-key': await app.newKey({ agentId: null }) };
  for (const [path, body] of [
    [CARDS, NUMBER],
    [TABS, { name: 'Sales' }],
  ] as const) {
    const made = (await app.request('POST', path, body, unbound)).body;
    assert.equal((made.card ?? made.tab).agentId, 'default');
    const agentsOf = async (query: string, key: object) => {
      const { cards, tabs } = (await app.request('GET', `${path}${query}`, undefined, { ...key })).body;
      return new Set((cards ?? tabs).map(({ agentId }: { agentId: string }) => agentId));
    };
    const all = await agentsOf('', unbound);
    assert.ok(all.has('default') && all.has(desk.agentId));
    for (const query of ['?agentId=', '?agentId=*']) assert.deepEqual(await agentsOf(query, unbound), all);
    assert.deepEqual(await agentsOf('?agentId=*', { 'x-api-key': desk.key }), all);
    assert.deepEqual(await agentsOf('', { 'x-api-key': desk.key }), new Set([desk.agentId]));
    assertNames(await app.request('POST', path, { ...body, agentId: '*' }, unbound), 'agentId');
    assertNames(await desk.request('GET', `${path}?agentId=${'x'.repeat(201)}`), 'agentId');
    assertNames(await desk.request('GET', `${path}?agentId=a&agentId=b`), 'agentId');
    assertNames(await desk.request('GET', `${path}?agent=a`), 'agent');
    assert.equal((await desk.request('GET', `${path}?agentId=`)).body.total, 1, 'an empty one counts as absent');
    assert.equal((await desk.request('GET', `${path}?agentId=nobody`)).body.total, 0);
    const listed = await app.request('GET', `${path}?agentId=${encodeURIComponent(desk.agentId)}`, undefined, unbound);
    assert.deepEqual([listed.status, listed.body.total], [200, 1]);
  }
  await desk.card({ agentId: 'first a card' });
  await desk.tab({ name: 'Sales', agentId: 'first a tab' });
  const agents = (await app.runtime.agents.listAll({ tenantId: app.tenantId })).map((agent) => agent.name);
  const used = ['first a card', 'first a tab'];
  assert.deepEqual(
    agents.filter((name) => used.includes(name)),
    used,
    'an agent is known from its first use on',
  );
});

test('PATCH cards: changes what it names; null removes tab and layout', async () => {
  const desk = await newDesk();
  const tab = await desk.tab({ name: 'Sales' });
  const card = await desk.card({ gridLayout: LAYOUT });
  const path = `${CARDS}/${card.id}`;
  const changes: object[] = [
    { title: 'New title' },
    { tabId: tab.id },
    { gridLayout: { x: 1, y: 1, w: 1, h: 1 } },
    { sortOrder: 12 },
    { config: { eventName: 'refund', aggregation: 'sum', propertyKey: 'amount' } },
    { cardType: 'gauge', config: { eventName: 'refund', aggregation: 'count', min: 0, max: 10 } },
    { tabId: null, gridLayout: null },
  ];
  let expected = card;
  for (const change of changes) {
    const { status, body } = await desk.request('PATCH', path, change);
    expected = { ...expected, ...change, updatedAt: body.card?.updatedAt };
    assert.deepEqual([status, body], [200, { success: true, card: expected }]);
  }
  assert.deepEqual((await desk.request('GET', path)).body.card, expected);
});

test('PATCH cards, PATCH tabs: without a change, or with half of one, nothing happens', async () => {
  const desk = await newDesk();
  const [card, tab] = [await desk.card(), await desk.tab({ name: 'Sales' })];
  for (const [path, change, member] of [
    [`${CARDS}/${card.id}`, {}, 'input'],
    [`${CARDS}/${card.id}`, { title: null, sortOrder: null, tabId: [], gridLayout: [] }, 'input'],
    [`${CARDS}/${card.id}`, { title: 'New', agentId: 'other' }, 'agentId'],
    [`${CARDS}/${card.id}`, { cardType: 'line' }, 'config'],
    [`${CARDS}/${card.id}`, { cardType: 'number', config: null }, 'config'],
    [`${CARDS}/${card.id}`, { config: { ...NUMBER.config, min: 0 } }, 'config.min'],
    [`${TABS}/${tab.id}`, { name: null, sortOrder: null }, 'input'],
    [`${TABS}/${tab.id}`, { name: 'New', agentId: 'other' }, 'agentId'],
  ] as const) {
    assertNames(await desk.request('PATCH', path, change), member);
  }
  assert.deepEqual([(await desk.cards()).cards, (await desk.tabs()).tabs], [[card], [tab]]);
});

test('POST tabs: 201, then 200 by name; sortOrder changes only if given', async () => {
  const desk = await newDesk();
  const made = await desk.request('POST', TABS, { agentId: desk.agentId, name: 'Sales', sortOrder: 4 });
  assert.equal(made.status, 201);
  const { id, tab } = made.body;
  assert.deepEqual(made.body, { success: true, created: true, id, tab });
  const { createdAt, updatedAt, ...members } = tab;
  assert.deepEqual(members, { id, agentId: desk.agentId, name: 'Sales', sortOrder: 4 });
  assert.match(id, UUID_V7);
  assert.match(createdAt, UTC);
  assert.match(updatedAt, UTC);
  for (const [sortOrder, expected] of [
    [undefined, 4],
    [4, 4],
    [0, 0],
    [undefined, 0],
    [-1.5, -1.5],
  ]) {
    const again = await desk.request('POST', TABS, { name: 'Sales', sortOrder });
    assert.equal(again.status, 200);
    const shown = { ...tab, sortOrder: expected, updatedAt: again.body.tab.updatedAt };
    assert.deepEqual(again.body, { success: true, created: false, id, tab: shown });
    assert.deepEqual((await desk.request('GET', `${TABS}/${id}`)).body, { success: true, tab: shown });
    assert.deepEqual(await desk.tabs(), { success: true, total: 1, tabs: [shown] });
  }
  assert.equal((await desk.tab({ name: 'sales' })).id === id, false, 'names differ by case');
});

test('PATCH tabs: renames and moves; the name of another tab is 409', async () => {
  const [desk, other] = [await newDesk(), await newDesk()];
  const tab = await desk.tab({ name: 'Sales' });
  await desk.tab({ name: 'Support' });
  await other.tab({ name: 'Finance' });
  const renamed = await desk.request('PATCH', `${TABS}/${tab.id}`, { name: 'Finance', sortOrder: 9 });
  assert.deepEqual(
    [renamed.status, renamed.body],
    [200, { success: true, tab: { ...tab, name: 'Finance', sortOrder: 9, updatedAt: renamed.body.tab.updatedAt } }],
  );
  assertError(await desk.request('PATCH', `${TABS}/${tab.id}`, { name: 'Support' }), 409, 'Conflict');
  assert.equal((await desk.request('PATCH', `${TABS}/${tab.id}`, { name: 'Finance' })).status, 200, 'its own name');
  assert.equal((await desk.request('POST', TABS, { name: 'Sales' })).status, 201, 'the old name is free again');
});

test('DELETE tabs: the cards of a deleted tab stay, in no tab', async () => {
  const desk = await newDesk();
  const [tab, kept] = [await desk.tab({ name: 'Sales' }), await desk.tab({ name: 'Kept' })];
  const card = await desk.card({ tabId: tab.id, gridLayout: LAYOUT });
  const elsewhere = await desk.card({ tabId: kept.id, idempotencyKey: 'elsewhere' });
  const gone = await desk.request('DELETE', `${TABS}/${tab.id}`);
  assert.deepEqual([gone.status, gone.body], [204, '']);
  assertError(await desk.request('DELETE', `${TABS}/${tab.id}`), 404, 'Not Found');
  const [left, untouched] = (await desk.cards()).cards;
  assert.deepEqual(left, { ...card, tabId: null, updatedAt: left.updatedAt });
  assert.deepEqual(untouched, elsewhere);
  assert.deepEqual((await desk.tabs()).tabs, [kept]);
});

test('DELETE cards: a deleted card is gone, and its question makes a new card', async () => {
  const desk = await newDesk();
  const [card, other] = [await desk.card(), await desk.card({ idempotencyKey: 'other' })];
  const gone = await desk.request('DELETE', `${CARDS}/${card.id}`);
  assert.deepEqual([gone.status, gone.body], [204, '']);
  for (const method of ['GET', 'DELETE']) {
    assertError(await desk.request(method, `${CARDS}/${card.id}`), 404, 'Not Found');
  }
  assert.deepEqual(await desk.cards(), { success: true, total: 1, cards: [other] });
  const again = await desk.request('POST', CARDS, NUMBER);
  assert.equal(again.status, 201);
  assert.notEqual(again.body.id, card.id);
});

test('POST cards: an unknown event is accepted, noted, and counted once it exists', async () => {
  const app = await sharedApp();
  const desk = await newDesk();
  await app.ingest([{ eventName: 'order_paid', agentId: desk.agentId }]);
  const card = await desk.card({ config: { eventName: 'order_payd', aggregation: 'count' } });
  const render = (receipt?: string) =>
    desk.request('GET', `${CARDS}/${card.id}/render`, undefined, receipt ? { 'x-wait-for': receipt } : {});
  const empty = await render();
  assert.equal(empty.status, 200);
  assert.deepEqual(empty.body.card, { id: card.id, title: card.title, cardType: 'number' });
  assert.equal(empty.body.data.value, 0);
  assert.match(empty.body.note, /order_payd.*order_paid/);
  const { basis } = empty.body;
  assert.deepEqual(
    [basis.eventName, basis.agentId, basis.aggregation, basis.matchedEvents, basis.lastEventAt],
    ['order_payd', desk.agentId, 'count', 0, null],
  );
  const { receipt } = await app.ingest([{ eventName: 'order_payd', agentId: desk.agentId }]);
  assert.equal((await render(receipt)).body.data.value, 1);
  assertError(await render('nonsense'), 400, 'Bad Request');
});

rareTest('POST cards: beyond 1,000 cards new ones are refused, existing ones change', async () => {
  const desk = await newDesk();
  const { runtime } = await sharedApp();
  const caller = await runtime.keyAuthenticator.authenticate(desk.key);
  for (let index = 0; index < 1_000; index++) {
    await runtime.dashboards.upsertCard(caller, { ...NUMBER, cardType: 'number', idempotencyKey: `${index}` } as never);
  }
  const more = await desk.request('POST', CARDS, { ...NUMBER, idempotencyKey: 'one more' });
  assertError(more, 422, 'Unprocessable Entity');
  assert.match(more.body.message, /at most 1000 cards/);
  const known = await desk.request('POST', CARDS, { ...NUMBER, title: 'Changed', idempotencyKey: '7' });
  assert.deepEqual([known.status, known.body.created], [200, false]);
  assert.equal((await desk.cards()).total, 1_000);
});

const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';

test("dashboards: another tenant's card and tab are 403 and stay unchanged", async () => {
  const [mine, theirs] = [await newDesk(), await newDesk(await newTenant())];
  const tab = await theirs.tab({ name: 'Their tab' });
  const card = await theirs.card({ title: 'Their card', tabId: tab.id });
  const own = await mine.card();
  const taking = [
    { method: 'PATCH', path: `${CARDS}/${card.id}`, body: { title: 'Taken' } },
    { method: 'DELETE', path: `${TABS}/${tab.id}` },
    { method: 'GET', path: `${CARDS}/${card.id}/render` },
    { method: 'POST', path: CARDS, body: { ...NUMBER, title: 'Taken', tabId: tab.id } },
    { method: 'PATCH', path: `${CARDS}/${own.id}`, body: { title: 'Taken', tabId: tab.id } },
  ];
  for (const { method, path, body } of taking) {
    const answer = await mine.request(method, path, body);
    assertError(answer, 403, 'Forbidden');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    assert.doesNotMatch(JSON.stringify(answer.body), /Their (card|tab)/);
  }
  assert.deepEqual((await mine.cards()).cards, [own]);
  assert.deepEqual((await theirs.cards()).cards, [card]);
  assert.deepEqual((await theirs.tabs()).tabs, [tab]);
});

test('POST cards: a tabId of another agent of the tenant is 404 and changes nothing', async () => {
  const [mine, other] = [await newDesk(), await newDesk()];
  const tab = await other.tab({ name: 'Sales' });
  const own = await mine.card();
  for (const tabId of [tab.id, UNKNOWN, own.id, 'no uuid', 'a\0b']) {
    assertError(await mine.request('POST', CARDS, { ...NUMBER, title: 'New', tabId }), 404, 'Not Found');
    const fresh = { ...NUMBER, idempotencyKey: 'fresh', tabId };
    assertError(await mine.request('POST', CARDS, fresh), 404, 'Not Found');
    assertError(await mine.request('PATCH', `${CARDS}/${own.id}`, { title: 'New', tabId }), 404, 'Not Found');
  }
  assert.deepEqual((await mine.cards()).cards, [own]);
});

test('dashboards: a write-only key gets no ids or titles in errors', async () => {
  const desk = await newDesk();
  await desk.card({ title: 'Top secret' });
  const writer = await (await sharedApp()).newKey({ agentId: desk.agentId, scopes: ['dashboards:write'] });
  const answer = await desk.request('DELETE', `${CARDS}/x`, undefined, { 'x-api-key': writer });
  assertError(answer, 404, 'Not Found');
  assert.doesNotMatch(answer.body.message, /secret/);
});

test('PATCH: refuses __proto__ and other hidden members as POST does', async () => {
  const desk = await newDesk();
  const card = await desk.card();
  const body = '{"config":{"eventName":"a","aggregation":"count","__proto__":{"x":1}}}';
  const answer = await desk.request('PATCH', `${CARDS}/${card.id}`, body);
  assertError(answer, 400, 'Bad Request');
  assert.deepEqual(answer.body.message, ['config.__proto__: unknown member']);
});

const MADE = Date.parse('2026-11-21T12:00:00Z');
const LATER = Date.parse('2027-01-03T12:00:00Z');

test('GET render: a card that expired says what to change, and works once changed', async (t) => {
  let now = MADE;
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const cases = [
    { config: { dateTo: '2026-11-21' }, said: /config\.dateTo: lies before dateFrom/ },
    { config: { dateFrom: '2026-11-01', dateGrouping: 'hour' }, said: /config\.dateGrouping: .*1000 buckets.*use day/ },
  ];
  for (const { config, said } of cases) {
    now = MADE;
    const cardType = 'dateGrouping' in config ? 'line' : 'number';
    const made = await app.request('POST', CARDS, { ...NUMBER, cardType, config: { ...NUMBER.config, ...config } });
    const render = () => app.request('GET', `${CARDS}/${made.body.id}/render`);
    assert.equal((await render()).status, 200);
    now = LATER;
    const answer = await render();
    assertError(answer, 422, 'Unprocessable Entity');
    assert.match(answer.body.message, /cannot be answered any more; change it/);
    assert.match(answer.body.message, said);
    await app.request('PATCH', `${CARDS}/${made.body.id}`, { config: { ...NUMBER.config, dateFrom: '-7d' } });
    assert.equal((await render()).status, 200);
  }
});
