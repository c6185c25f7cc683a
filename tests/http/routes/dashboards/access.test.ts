import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SCOPES, type Scope } from '../../../../src/core/base/shared/caller.ts';
import { assertError, CARDS, NUMBER, newDesk, newTenant, sharedApp, TABS } from './support.ts';

interface Endpoint {
  method: string;
  path: string;
  scope: Scope;
  body?: object;
}

const PREVIEW = `${CARDS}/preview`;
const MANY = `${CARDS}/render`;

/** Every endpoint for a card and a tab, each with a valid body. */
function endpoints(cardId: string, tabId: string): Endpoint[] {
  const read: Scope = 'dashboards:read';
  const write: Scope = 'dashboards:write';
  return [
    { method: 'GET', path: CARDS, scope: read },
    { method: 'POST', path: CARDS, scope: write, body: NUMBER },
    { method: 'POST', path: PREVIEW, scope: 'events:read', body: NUMBER },
    { method: 'POST', path: MANY, scope: read, body: { ids: [cardId] } },
    { method: 'GET', path: `${CARDS}/${cardId}`, scope: read },
    { method: 'GET', path: `${CARDS}/${cardId}/render`, scope: read },
    { method: 'PATCH', path: `${CARDS}/${cardId}`, scope: write, body: { title: 'Taken' } },
    { method: 'DELETE', path: `${CARDS}/${cardId}`, scope: write },
    { method: 'GET', path: TABS, scope: read },
    { method: 'POST', path: TABS, scope: write, body: { name: 'Sales' } },
    { method: 'GET', path: `${TABS}/${tabId}`, scope: read },
    { method: 'PATCH', path: `${TABS}/${tabId}`, scope: write, body: { name: 'Taken' } },
    { method: 'DELETE', path: `${TABS}/${tabId}`, scope: write },
  ];
}

const byId = (endpoint: Endpoint) => ![CARDS, TABS, PREVIEW, MANY].includes(endpoint.path);
const UNKNOWN = '0190a5a0-0000-7000-8000-000000000000';

test('dashboards: every endpoint answers 401 with a challenge without a valid key', async () => {
  const app = await sharedApp();
  const wrong = `${app.key.slice(0, -1)}${app.key.endsWith('a') ? 'b' : 'a'}`;
  for (const { method, path, body } of endpoints(UNKNOWN, UNKNOWN)) {
    for (const key of ['', 'nonsense', wrong]) {
      const answer = await app.request(method, path, body, { 'x-api-key': key });
      assertError(answer, 401, 'Unauthorized');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
  }
});

test('dashboards: every endpoint needs its scope; without it 403 names the scope', async () => {
  const app = await sharedApp();
  const desk = await newDesk();
  const [{ id: cardId }, { id: tabId }] = [await desk.card(), await desk.tab({ name: 'Sales' })];
  for (const { method, path, scope, body } of endpoints(cardId, tabId)) {
    const others = await app.newKey({ scopes: SCOPES.filter((one) => one !== scope) });
    const refused = await app.request(method, path, body && '{"broken', { 'x-api-key': others });
    assertError(refused, 403, 'Forbidden');
    assert.ok(refused.body.message.includes(scope), refused.body.message);
    const challenge = refused.headers.get('www-authenticate') ?? '';
    assert.match(challenge, new RegExp(`^Bearer .*error="insufficient_scope", scope="${scope}"`));
  }
  assert.deepEqual([(await desk.cards()).total, (await desk.tabs()).total], [1, 1]);
  for (const { method, path, scope, body } of endpoints(cardId, tabId)) {
    const alone = await app.newKey({ scopes: [scope] });
    const answer = await app.request(method, path, body, { 'x-api-key': alone });
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  }
});

test("dashboards: another tenant's card and tab are 403 and stay unchanged", async () => {
  const [mine, theirs] = [await newDesk(), await newDesk(await newTenant())];
  const tab = await theirs.tab({ name: 'Their tab' });
  const card = await theirs.card({ title: 'Their card', tabId: tab.id });
  const own = await mine.card();
  const taking = [
    ...endpoints(card.id, tab.id).filter(byId),
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

test('dashboards: the same agent, card and tab names in another tenant are separate', async () => {
  const app = await sharedApp();
  const theirs = await newDesk();
  const [card, tab] = [await theirs.card({ idempotencyKey: 'key' }), await theirs.tab({ name: 'Sales' })];
  const key = await app.newKey({ tenant: await newTenant(), agentId: theirs.agentId });
  const request: typeof app.request = (method, path, body) => app.request(method, path, body, { 'x-api-key': key });
  const listOf = async (path: string) =>
    (await request('GET', `${path}?agentId=${encodeURIComponent(theirs.agentId)}`)).body;
  assert.deepEqual(await listOf(CARDS), { success: true, total: 0, cards: [] });
  assert.deepEqual(await listOf(TABS), { success: true, total: 0, tabs: [] });
  const missing = await request('GET', `${CARDS}/${UNKNOWN}`);
  assert.doesNotMatch(missing.body.message, new RegExp(card.id), 'advice names no card of another tenant');
  const sameCard = await request('POST', CARDS, { ...NUMBER, title: 'Mine', idempotencyKey: 'key' });
  const sameTab = await request('POST', TABS, { name: 'Sales', sortOrder: 5 });
  assert.deepEqual([sameCard.status, sameTab.status], [201, 201]);
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

test('dashboards: an unknown id of any form is 404, and a card is not found as a tab', async () => {
  const desk = await newDesk();
  const [card, tab] = [await desk.card(), await desk.tab({ name: 'Sales' })];
  for (const id of [UNKNOWN, 'x', '%00', '..%2F..', '%F0%9F%98%80', "'%20OR%201=1--", card.id.toUpperCase()]) {
    for (const { method, path, body } of endpoints(id, id).filter(byId)) {
      assertError(await desk.request(method, path, body), 404, 'Not Found');
    }
  }
  for (const { method, path, body } of endpoints(tab.id, card.id).filter(byId)) {
    assertError(await desk.request(method, path, body), 404, 'Not Found');
  }
  assertError(await desk.request('GET', `${CARDS}/${card.id}/draw`), 404, 'Not Found');
  assertError(await desk.request('GET', CARDS.replace('/runtime/', '/runtime/v1/')), 404, 'Not Found');
  assertError(await desk.request('GET', `${CARDS}/%ff`), 400, 'Bad Request');
  assert.deepEqual((await desk.cards()).cards, [card]);
});

test('dashboards: a wrong method is 405 and names the right ones', async () => {
  const desk = await newDesk();
  const [card, tab] = [await desk.card(), await desk.tab({ name: 'Sales' })];
  const wrong: [path: string, allowed: string[], refused: string[]][] = [
    [CARDS, ['GET', 'POST', 'HEAD'], ['PUT', 'PATCH', 'DELETE']],
    [TABS, ['GET', 'POST', 'HEAD'], ['PUT', 'PATCH', 'DELETE']],
    [`${CARDS}/${card.id}`, ['GET', 'PATCH', 'DELETE', 'HEAD'], ['POST', 'PUT']],
    [`${TABS}/${tab.id}`, ['GET', 'PATCH', 'DELETE', 'HEAD'], ['POST', 'PUT']],
    [PREVIEW, ['POST'], ['GET', 'PUT', 'PATCH', 'DELETE']],
    [MANY, ['POST'], ['GET', 'PUT', 'PATCH', 'DELETE']],
    [`${CARDS}/${card.id}/render`, ['GET', 'HEAD'], ['POST', 'PUT', 'PATCH', 'DELETE']],
  ];
  for (const [path, allowed, refused] of wrong) {
    for (const method of refused) {
      const answer = await desk.request(method, path, ['GET', 'DELETE'].includes(method) ? undefined : {});
      assertError(answer, 405, 'Method Not Allowed');
      assert.deepEqual(answer.headers.get('allow')?.split(', ').sort(), allowed.sort());
    }
  }
  assert.deepEqual([(await desk.cards()).total, (await desk.tabs()).total], [1, 1]);
});

test('dashboards: a body that is not JSON is 400, of another type 415, too large 413', async () => {
  const desk = await newDesk();
  const [card, tab] = [await desk.card(), await desk.tab({ name: 'Sales' })];
  const takers = endpoints(card.id, tab.id).filter(({ body }) => body !== undefined);
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')));
  for (const { method, path, body } of takers) {
    for (const broken of ['', '{"title":', 'null', '[]', '"title"', '7']) {
      assertError(await desk.request(method, path, broken), 400, 'Bad Request');
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/x-ndjson']) {
      const answer = await desk.request(method, path, JSON.stringify(body), { 'content-type': type });
      assertError(answer, 415, 'Unsupported Media Type');
    }
    const large = { ...body, title: 'x'.repeat(300 * 1024) };
    assertError(await desk.request(method, path, large), 413, 'Payload Too Large');
    const headers = { 'x-api-key': desk.key, 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const inflated = await fetch(`${(await sharedApp()).url}${path}`, { method, headers, body: bomb });
    assert.equal(inflated.status, 413);
  }
  assert.deepEqual((await desk.cards()).cards, [card]);
  assert.deepEqual((await desk.tabs()).tabs, [tab]);
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
