import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CardRendering } from '../../../../src/core/analytics/dashboards/rendering.ts';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { createLog } from '../../../../src/logging/log.ts';
import { testApp } from '../../../support/app.ts';
import { newPerson } from '../../../support/people.ts';
import { tenantsOfThisFile } from '../../../support/shared.ts';
import { CARDS, linkTo, made, read, sharedTab, TABS, visit } from './support.ts';

const ORIGIN = 'https://wiki.example.com';
const tenantOf = tenantsOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1', frameOrigins: ORIGIN });

test('Shared tab: its own cards in order, without ids, events and names', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  const link = await linkTo(app, tab);
  const { status, body } = await read(app, link);
  assert.equal(status, 200);
  const [orders, all] = body.cards;
  assert.deepEqual([body.title, body.total, body.cards.length], ['Sales', 2, 2]);
  assert.deepEqual(
    [orders.number, orders.title, orders.cardType, orders.gridLayout],
    [1, 'Orders', 'number', { x: 0, y: 0, w: 3, h: 2 }],
  );
  assert.equal(orders.answer.data.value, 7);
  assert.deepEqual(Object.keys(orders.answer.basis).toSorted(), [
    'aggregation',
    'from',
    'matchedEvents',
    'timezone',
    'to',
  ]);
  assert.deepEqual(all.answer.data.columns.map(({ key }: { key: string }) => key).toSorted(), [
    'amount',
    'plan',
    'timestamp',
  ]);
  const cards = (await app.request('GET', CARDS)).body.cards.map(({ id }: { id: string }) => id);
  const hidden = [
    ...cards,
    tab,
    link.id,
    app.tenantId,
    'tenant-',
    'support',
    'test',
    'thread-',
    'execution-',
    'Elsewhere',
    'cases',
  ];
  const text = JSON.stringify(body);
  for (const one of hidden) assert.ok(!text.includes(one), one);
});

test('Shared tab: neither a query nor a credential changes what it answers', async (t) => {
  const [app, other] = [await tenantOf(t), await tenantOf(t)];
  const link = await linkTo(app, await sharedTab(app));
  await sharedTab(other);
  const stranger = await newPerson(other, { role: 'SUPER_ADMIN' });
  const titles = async (headers: Record<string, string>) =>
    (await read(app, link, headers)).body.cards.map(({ title }: { title: string }) => title).join();
  const plain = await titles({});
  const credentials: Record<string, string>[] = [
    { 'x-api-key': other.key },
    { 'x-api-key': 'wrong' },
    { authorization: `Bearer ${stranger.token}` },
    { cookie: `ar_session=${stranger.token}`, 'sec-fetch-site': 'same-origin' },
  ];
  for (const headers of credentials) assert.equal(await titles(headers), plain);
  const ranged = await visit(app, `${link.path}.json?dateFrom=2020-01-01&dateTo=2020-01-02&id=x`);
  assert.equal(JSON.parse(ranged.text).cards[0].answer.data.value, 7);
  for (const query of ['theme=blue', 'width=9999', 'dateFrom=2020-01-01']) {
    assert.equal((await visit(app, `${link.path}.svg?${query}`)).status, 400, query);
  }
});

test('Shared tab: pictures of the tab, in a theme and a language', async (t) => {
  const app = await tenantOf(t);
  const link = await linkTo(app, await sharedTab(app));
  const svg = await visit(app, `${link.path}.svg?theme=dark&locale=pt-BR`);
  assert.match(svg.headers.get('content-type')!, /^image\/svg\+xml/);
  assert.match(svg.text, /^<svg [^>]*width="1280"[\s\S]*Sales[\s\S]*Orders[\s\S]*All/);
  assert.ok(!svg.text.includes('thread-') && !svg.text.includes('Elsewhere'));
  const png = await visit(app, `${link.path}.png`);
  assert.deepEqual([png.status, png.headers.get('content-type')], [200, 'image/png']);
  assert.equal(png.headers.get('cross-origin-resource-policy'), 'cross-origin');
});

test('Shared tab: no cache keeps it, no index lists it, allowed origins alone frame it', async (t) => {
  const app = await tenantOf(t);
  const { path } = await linkTo(app, await sharedTab(app));
  for (const suffix of ['', '.json', '.svg', '.png', 'x', 'x.json', 'x.png']) {
    const { headers } = await visit(app, path + suffix, { accept: '*/*' });
    assert.equal(headers.get('cache-control'), 'private, no-store', suffix);
    assert.equal(headers.get('x-robots-tag'), 'noindex, nofollow', suffix);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', suffix);
    assert.equal(headers.get('set-cookie'), null, suffix);
    assert.equal(headers.get('etag'), null, suffix);
    if (suffix.endsWith('json')) continue;
    assert.ok(headers.get('content-security-policy')!.includes(`frame-ancestors ${ORIGIN}`), suffix);
  }
  const page = await visit(app, path);
  assert.equal(page.headers.get('x-frame-options'), null);
  assert.match(page.text, /<div id="root">/);
  const closed = await testApp(t, { rateLimit: 0 });
  const link = await linkTo(closed, (await made(closed, TABS, { name: 'Sales' })).id);
  assert.match((await visit(closed, link.path)).headers.get('content-security-policy')!, /frame-ancestors 'none'/);
  const portal = await visit(app, '/login', { accept: 'text/html' });
  assert.match(portal.headers.get('content-security-policy')!, /frame-ancestors 'none'/);
});

test('Shared tab: addresses below it hold nothing, and only GET is possible', async (t) => {
  const app = await tenantOf(t);
  const { path } = await linkTo(app, await sharedTab(app));
  for (const below of [`${path}/cards`, `${path}/x.json`, `${path}/../..${path}/render`]) {
    const { status, text } = await visit(app, below, { accept: 'text/html' });
    assert.equal(status, 404, below);
    assert.ok(!text.includes(path.slice(-20)), text);
  }
  for (const suffix of ['', '.json', '.svg', '.png']) {
    assert.equal((await fetch(app.url + path + suffix, { method: 'POST' })).status, 405, suffix);
  }
});

test('Shared tab: too many requests of a link or an address are refused', async (t) => {
  const now = Date.now();
  const app = await testApp(t, { trustedProxies: '127.0.0.1' }, { ...realEffects, now: () => now });
  const link = await linkTo(app, (await made(app, TABS, { name: 'Empty' })).id);
  const ask = async (path: string, from: string) => {
    const { status, headers } = await visit(app, path, { 'x-forwarded-for': from });
    return [status, headers.get('retry-after')];
  };
  for (let turn = 0; turn < 120; turn += 1) {
    assert.deepEqual(await ask(`${link.path}.json`, `198.51.100.${turn}`), [200, null]);
  }
  assert.deepEqual(await ask(`${link.path}.json`, '198.51.100.200'), [429, '1'], 'of one link');
  for (let turn = 0; turn < 240; turn += 1) assert.equal((await ask(`/shared/${turn}.json`, '203.0.113.9'))[0], 410);
  assert.deepEqual(await ask('/shared/x.json', '203.0.113.9'), [429, '1'], 'of one address');
  assert.equal((await app.request('GET', TABS)).status, 200, 'the tenant has its own limit');
});

test('Shared tab: many visitors of a link cost one rendering', async (t) => {
  const app = await tenantOf(t);
  const tab = await sharedTab(app);
  const [link, other] = [await linkTo(app, tab), await linkTo(app, tab)];
  const renderings = t.mock.method(CardRendering.prototype, 'all');
  const suffixes = Array.from({ length: 24 }, (_, index) => (index % 8 === 0 ? '.svg' : '.json'));
  const ask = (suffix: string, { path }: typeof link) => visit(app, path + suffix);
  const answers = await Promise.all(suffixes.map((suffix) => ask(suffix, link)));
  answers.push(await ask('.json', link));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  assert.equal(renderings.mock.callCount(), 1);
  await ask('.json', other);
  assert.equal(renderings.mock.callCount(), 2, 'another link may show other events');
});

test('Shared tab: its secret reaches no log, no audit log and no metric', async (t) => {
  const logged: string[] = [];
  const log = createLog('trace', { write: (line) => logged.push(line) });
  const app = await testApp(t, { rateLimit: 0 }, undefined, log);
  const { path } = await linkTo(app, await sharedTab(app));
  const secret = path.split('/').at(-1)!;
  for (const at of [
    path,
    `${path}.json`,
    `${path}.png`,
    `${path}/more`,
    path.replace('shared', '%73hared'),
    path.replace('shared', 'SHARED'),
    `/x${path}`,
    `/api${path}`,
  ]) {
    await visit(app, at, { accept: 'text/html' });
  }
  await visit(app, '/api/v1/portal/me', { 'x-api-key': secret, 'x-request-id': secret });
  const metrics = await visit(app, '/metrics');
  const { items } = await app.runtime.audit.entries({ ...app.caller, role: 'ADMIN' }, { limit: 100, offset: 0 });
  assert.ok(logged.length > 5 && metrics.text.includes('/shared/:secret'));
  for (const text of [logged.join(''), metrics.text, JSON.stringify(items)]) assert.ok(!text.includes(secret.slice(4)));
});
