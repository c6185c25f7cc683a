import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS, TERMS, workspace } from './support.ts';

const OBSERVABILITY = '/api/v1/runtime/observability';
const SEGMENTS = `${OBSERVABILITY}/segments`;
const MB = 1024 * 1024;

/** JSON of about so many bytes. */
function filtersOf(bytes: number) {
  const value = Array.from({ length: Math.ceil(bytes / 1_003) }, (_, index) => `${index}`.padEnd(1_000, 'x'));
  return [{ propertyKey: 'customer', operator: 'in', value }];
}

function segment(name: string, bytes: number) {
  return { name, by: 'threadId', conditions: [{ eventName: 'order', filters: filtersOf(bytes) }] };
}

function measure(bytes: number) {
  return { eventName: 'order', aggregation: 'count', filters: filtersOf(bytes) };
}

test('Definitions: a tenant has 8 MB of them, however they are spread', async () => {
  const [one, other] = [await workspace(), await workspace()];
  const metric = { name: 'orders', title: 'Orders', goodDirection: 'up', formula: measure(100_000) };
  assert.equal((await one.request('POST', METRICS, metric)).status, 201);
  // At once, so that none sees what the others are about to write.
  const saved = await Promise.all(
    Array.from({ length: 40 }, (_, index) => one.request('POST', SEGMENTS, segment(`s${index}`, 240_000))),
  );
  const refused = saved.filter(({ status }) => status === 422);
  const kept = saved.filter(({ status }) => status === 201).length;
  assert.equal(kept + refused.length, 40);
  assert.ok(kept * 240_000 <= 8 * MB && (kept + 2) * 245_000 > 8 * MB, `${kept} segments`);
  for (const { body } of refused)
    assert.match(body.message, /at most 8 MB together; there are .* KB more\. Shorten lists/);
  const card = { title: 'Orders', cardType: 'number', config: measure(120_000), agentId: 'support' };
  const alert = {
    title: 'Orders',
    question: measure(55_000),
    condition: { type: 'threshold', operator: 'gt', value: 1 },
    targets: [{ type: 'webhook', url: 'https://example.com/hook' }],
  };
  // What is left is filled by halves.
  for (const bytes of [120_000, 60_000, 30_000]) await one.request('POST', SEGMENTS, segment(`fill${bytes}`, bytes));
  for (const [method, path, body] of [
    ['POST', `${OBSERVABILITY}/dashboard-cards`, card],
    ['POST', `${OBSERVABILITY}/alerts`, alert],
    ['POST', METRICS, { ...metric, name: 'more' }],
    ['PATCH', `${METRICS}/orders`, { title: 'A version is another definition' }],
    ['POST', SEGMENTS, segment('last', 250_000)],
  ] as const) {
    const { status, body: answer } = await one.request(method, path, body);
    assert.equal(status, 422, `${method} ${path} ${JSON.stringify(answer).slice(0, 300)}`);
  }
  assert.equal((await other.request('POST', SEGMENTS, segment('mine', 240_000))).status, 201);
  // What makes it smaller is never refused, and leaves room.
  assert.equal((await one.request('PATCH', `${SEGMENTS}/s0`, segmentChange(1_000))).status, 200);
  assert.equal((await one.request('DELETE', `${SEGMENTS}/s1`)).status, 204);
  assert.equal((await one.request('POST', `${OBSERVABILITY}/dashboard-cards`, card)).status, 201);
  assert.equal((await one.request('POST', `${OBSERVABILITY}/alerts`, alert)).status, 201);
});

function segmentChange(bytes: number) {
  const { conditions } = segment('', bytes);
  return { conditions };
}

test('Definitions: lists end a page by bytes, and go on where it ended', async () => {
  const { request } = await workspace();
  const names = Array.from({ length: 30 }, (_, index) => `s${String(index).padStart(2, '0')}`);
  for (const name of names) await request('POST', SEGMENTS, { ...segment(name, 200_000), title: `Title ${name}` });
  const pages: string[][] = [];
  for (let offset = 0; offset < names.length; offset += pages.at(-1)!.length) {
    const { body } = await request('GET', `${SEGMENTS}?limit=1000&offset=${offset}`);
    assert.equal(body.total, 30);
    assert.ok(JSON.stringify(body).length < 4.1 * MB);
    pages.push(body.segments.map(({ name }: { name: string }) => name));
    assert.ok(pages.at(-1)!.length > 0);
  }
  assert.deepEqual(pages.flat(), names);
  assert.equal(pages.length, 2);
  const found = await request('GET', `${SEGMENTS}?search=title%20S03`);
  assert.deepEqual([found.body.total, found.body.segments[0].name], [1, 's03']);
  const unknown = await request('GET', `${SEGMENTS}/s3`);
  assert.match(unknown.body.message, /nearest: /);
});

test('Metrics: versions come in pages, each with what it changed', async () => {
  const { request } = await workspace();
  const metric = { name: 'orders', title: 'Title 1', goodDirection: 'up', formula: measure(100_000) };
  await request('POST', METRICS, metric);
  for (let version = 2; version <= 60; version += 1) {
    await request('PATCH', `${METRICS}/orders`, { title: `Title ${version}` });
  }
  const page = async (query: string) => (await request('GET', `${METRICS}/orders/versions?${query}`)).body;
  const first = await page('limit=500');
  assert.equal(first.total, 60);
  assert.ok(first.versions.length >= 35 && first.versions.length < 45, `${first.versions.length} versions`);
  const second = await page(`offset=${first.versions.length}`);
  const all = [...first.versions, ...second.versions];
  assert.deepEqual(
    all.map(({ version, changes }) => [version, changes]),
    Array.from({ length: 60 }, (_, index) => 60 - index).map((version) => [
      version,
      version === 1 ? [] : [{ path: 'title', before: `Title ${version - 1}`, after: `Title ${version}` }],
    ]),
  );
  assert.deepEqual(
    (await page('limit=2&offset=3')).versions.map(({ version }: { version: number }) => version),
    [57, 56],
  );
  const { body } = await request('GET', `${METRICS}/orders/diff?from=2&to=9`);
  assert.deepEqual(body.changes, [{ path: 'title', before: 'Title 2', after: 'Title 9' }]);
  const listed = await request('GET', `${METRICS}?search=title`);
  assert.deepEqual([listed.body.total, listed.body.metrics[0].title], [1, 'Title 60']);
});

test('Terms: are found by a synonym, and a changed one by its new words', async () => {
  const { request } = await workspace();
  for (const term of ['churn', 'arr']) {
    await request('POST', TERMS, { term, definition: 'x'.repeat(2_000), synonyms: [`word of ${term}`] });
  }
  const found = async (search: string) =>
    (await request('GET', `${TERMS}?search=${search}`)).body.terms.map(({ term }: { term: string }) => term);
  assert.deepEqual(await found('word%20of%20churn'), ['churn']);
  await request('PATCH', `${TERMS}/churn`, { synonyms: ['loss'] });
  assert.deepEqual(await found('loss'), ['churn']);
  await request('DELETE', `${TERMS}/churn`);
  assert.deepEqual(await found('loss'), []);
});
