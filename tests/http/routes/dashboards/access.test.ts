import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError, CARDS, NUMBER, newDesk, newTenant, sharedApp, TABS } from './support.ts';

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
