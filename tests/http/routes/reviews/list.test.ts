import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { assertNames } from '../dashboards/support.ts';
import { type Desk, newDesk, REVIEWS } from './support.ts';

const refused = async (desk: Desk, query: string, ...names: string[]) =>
  assertNames(await desk.request('GET', `${REVIEWS}?${query}`), ...names);

const found = async (desk: Desk, query: string) =>
  (await desk.list(query)).reviews.map(({ comment }: { comment: string }) => comment);

test('GET /reviews: fifty by default, at most a hundred, newest first', async () => {
  const desk = await newDesk();
  const ids: string[] = [];
  for (let index = 0; index < 103; index++)
    ids.unshift((await desk.review({ agentId: index % 2 ? 'odd' : 'even' })).id);
  const page = async (query: string) => {
    const { reviews, ...rest } = await desk.list(query);
    return { ...rest, ids: reviews.map(({ id }: { id: string }) => id) };
  };
  assert.deepEqual(await page(''), { ids: ids.slice(0, 50), total: 103, limit: 50, offset: 0 });
  assert.deepEqual(await page('limit=1e0&offset=%2B0'), { ids: ids.slice(0, 1), total: 103, limit: 1, offset: 0 });
  assert.deepEqual(await page('limit=1'), { ids: ids.slice(0, 1), total: 103, limit: 1, offset: 0 });
  assert.deepEqual(await page('limit=100'), { ids: ids.slice(0, 100), total: 103, limit: 100, offset: 0 });
  assert.deepEqual(await page('limit=101'), { ids: ids.slice(0, 100), total: 103, limit: 100, offset: 0 });
  assert.deepEqual(await page('limit=99999999999&offset=100'), {
    ids: ids.slice(100),
    total: 103,
    limit: 100,
    offset: 100,
  });
  assert.deepEqual(await page('offset=103'), { ids: [], total: 103, limit: 50, offset: 103 });
  const far = Number.MAX_SAFE_INTEGER;
  assert.deepEqual(await page(`offset=${far}`), { ids: [], total: 103, limit: 50, offset: far });
});

test('GET /reviews: invalid parameters are named with 400, empty ones are absent', async () => {
  const desk = await newDesk();
  await desk.review();
  await refused(desk, 'page=2&Status=resolved', 'page', 'Status');
  await refused(desk, '__proto__=1&constructor=2&toString=3', '__proto__', 'constructor', 'toString');
  const empty = ['agentId', 'status', 'rating', 'priority', 'dateFrom', 'dateTo', 'search', 'match', 'limit', 'offset'];
  assert.equal((await desk.list(empty.map((name) => `${name}=`).join('&'))).total, 1);
  assert.equal((await desk.list(empty.join('&'))).total, 1);
});

test('GET /reviews: filters work alone and combined', async () => {
  const desk = await newDesk();
  const make = (comment: string, members: object) => desk.review({ comment, ...members });
  await make('primeiro texto', { agentId: 'a', rating: 'good', priority: 'low' });
  await make('segundo texto aqui', { agentId: 'a', rating: 'bad', priority: 'critical' });
  const third = await make('terceiro texto', { agentId: 'b', rating: 'bad', priority: 'low' });
  await desk.right('PATCH', `${REVIEWS}/${third.id}`, { status: 'in_progress' });
  for (const [query, ...comments] of [
    ['agentId=a', 'segundo texto aqui', 'primeiro texto'],
    ['agentId=c'],
    ['agentId=*', 'terceiro texto', 'segundo texto aqui', 'primeiro texto'],
    ['rating=bad', 'terceiro texto', 'segundo texto aqui'],
    ['rating=needs_improvement'],
    ['priority=low', 'terceiro texto', 'primeiro texto'],
    ['status=in_progress', 'terceiro texto'],
    ['status=pending_review', 'segundo texto aqui', 'primeiro texto'],
    ['search=texto&rating=bad&agentId=a', 'segundo texto aqui'],
    ['search=textos&priority=low&dateFrom=-1h&dateTo=today', 'terceiro texto', 'primeiro texto'],
    ['agentId=a&rating=good&priority=low&status=pending_review&search=primeiras&dateFrom=yesterday', 'primeiro texto'],
    ['agentId=a&rating=good&priority=critical'],
  ] as const) {
    assert.deepEqual(await found(desk, query), comments, query);
  }
});

test("GET /reviews: dates are in the tenant's time zone", async (t) => {
  let now = 0;
  const app = await testApp(t, { rateLimit: 0 }, { ...realEffects, now: () => now });
  const id = realEffects.newId();
  await app.runtime.tenantStore.create({
    id,
    name: 'new york',
    timezone: 'America/New_York',
    createdAt: 0,
    retentionDays: null,
    executionRetentionDays: null,
    secondFactor: 'optional',
    passwordLogin: true,
    roleLimits: null,
  });
  const key = { 'x-api-key': await app.newKey({ tenant: 'new york' }) };
  const made: string[] = [
    '2026-03-07T04:59:59.999Z',
    '2026-03-07T05:00:00Z',
    '2026-03-08T04:59:59.999Z',
    '2026-03-08T05:00:00Z',
    // Clocks go forward at 7:00 UTC.
    '2026-03-08T06:59:59.999Z',
    '2026-03-09T03:59:59.999Z',
    '2026-03-09T04:00:00Z',
  ];
  for (const [index, time] of made.entries()) {
    now = Date.parse(time);
    const body = { rating: 'bad', comment: `comentário ${index}` };
    const { status } = await app.request(
      'POST',
      `${REVIEWS.replace('reviews', 'executions')}/run${index}/reviews`,
      body,
      key,
    );
    assert.equal(status, 201);
  }
  now = Date.parse('2026-03-09T12:00:00Z');
  const numbers = async (query: string) => {
    const { status, body } = await app.request('GET', `${REVIEWS}?${query}`, undefined, key);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.total, body.reviews.length);
    return body.reviews.map(({ comment }: { comment: string }) => Number(comment.slice(-1))).reverse();
  };
  assert.deepEqual(await numbers('dateFrom=2026-03-07&dateTo=2026-03-07'), [1, 2]);
  assert.deepEqual(await numbers('dateFrom=2026-03-08&dateTo=2026-03-08'), [3, 4, 5], 'a day of 23 hours');
  assert.deepEqual(await numbers('dateFrom=yesterday&dateTo=yesterday'), [3, 4, 5]);
  assert.deepEqual(await numbers('dateFrom=today'), [6]);
  assert.deepEqual(
    await numbers('dateFrom=2026-03-08T00:00:00Z&dateTo=2026-03-08T05:00:00Z'),
    [2],
    'the end is not included',
  );
  for (const [query, ...names] of [
    ['dateFrom=nonsense', 'dateFrom'],
    ['dateTo=2026-02-30', 'dateTo'],
    ['dateFrom=2026-03-09&dateTo=2026-03-07', 'dateTo'],
    ['dateFrom=a&dateFrom=b', 'dateFrom'],
  ] as const) {
    assertNames(await app.request('GET', `${REVIEWS}?${query}`, undefined, key), ...names);
  }
});

const foundBy = async (desk: Desk, search: string, match = ''): Promise<string[]> => {
  const { reviews, total } = await desk.list(`limit=100&search=${encodeURIComponent(search)}&match=${match}`);
  assert.equal(total, reviews.length);
  return reviews.map(({ comment }: { comment: string }) => comment);
};

test('GET /reviews?search: all words by their stems, ignoring accents', async () => {
  const desk = await newDesk();
  const [late, wrong] = ['A entrega atrasou três dias.', 'INFORMAÇÃO errada sobre as entregas'];
  const [singular, ...plurals] = ['O cartão do cliente', 'Erros em mensagens'];
  for (const comment of [singular!, ...plurals, late, wrong]) await desk.review({ comment });
  for (const [search, ...comments] of [
    ['entrega', wrong, late],
    ['ENTREGAS', wrong, late],
    ['informacoes', wrong],
    ['informação', wrong],
    ['atrasar entrega', late],
    ['entrega, atrasou!', late],
    ['atraso informação'],
    ['entre'],
    ['erro', ...plurals],
    ['mensagem', ...plurals],
    ['cartões', singular],
  ] as const) {
    assert.deepEqual(await foundBy(desk, search), comments, search);
  }
});

test('GET /reviews?match: exact compares words as written, in either case', async () => {
  const desk = await newDesk();
  const [one, many] = ['Não confirmou a Solução', 'As soluções e a solucao <b>'];
  for (const comment of [one, many]) await desk.review({ comment });
  for (const [search, exact, stem] of [
    ['SOLUÇÃO', [one], [many, one]],
    ['solucao', [many], [many, one]],
    ['soluções', [many], [many, one]],
    ['soluça\u0303o', [one], [many, one]],
    ['solu', [], []],
    ['não', [one], [one]],
    ['a não solução', [one], [many, one]],
    ['"solução" b', [], [many]],
    ['soluções <b>', [many], [many, one]],
    ['?!', [], []],
  ] as const) {
    assert.deepEqual(await foundBy(desk, search, 'exact'), exact, search);
    assert.deepEqual(await foundBy(desk, search, 'stem'), stem, search);
    assert.deepEqual(await foundBy(desk, search), stem, search);
  }
  assert.equal((await desk.list('match=exact')).total, 2, 'without a search it changes nothing');
  const refused = await desk.request('GET', `${REVIEWS}?search=a&match=fuzzy`);
  assertNames(refused, 'match');
  assert.match(JSON.stringify(refused.body), /must be one of stem, exact/);
});

test('GET /reviews?search: only comments are searched', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({ tags: ['girafa'], agentId: 'girafa' }, 'girafa');
  await desk.right('PATCH', `${REVIEWS}/${id}`, {
    actionTaken: 'girafa',
    resolutionNotes: 'girafa',
    correctedOutput: 'girafa',
  });
  assert.deepEqual(await foundBy(desk, 'girafa'), []);
  for (const term of ['pending_review', 'support', 'bad', 'medium', 'x'])
    assert.deepEqual(await foundBy(desk, term), []);
});

test('GET /reviews?search: a thousand characters at most', async () => {
  const desk = await newDesk();
  const distinct = Array.from({ length: 250 }, (_, index) => `${(index + 1_000).toString(36)}`).join(' ');
  const words = Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  await desk.review({ comment: distinct });
  await desk.review({ comment: words.join(' ') });
  assert.ok(distinct.length > 700 && distinct.length <= 1_000);
  assert.deepEqual(await foundBy(desk, distinct), [distinct]);
  assert.deepEqual(await foundBy(desk, `${distinct} nada`), []);
  assert.deepEqual(await foundBy(desk, words.join(' ')), [words.join(' ')], '500 distinct words');
  assert.deepEqual(await foundBy(desk, 'dez '.repeat(250)), []);
  assert.deepEqual(await foundBy(desk, 'x'.repeat(1_000)), []);
  assert.deepEqual(await foundBy(desk, '😀'.repeat(500)), []);
  for (const long of ['x'.repeat(1_001), `${distinct} ${distinct}`, 'palavra '.repeat(1_500)]) {
    assertNames(await desk.request('GET', `${REVIEWS}?search=${encodeURIComponent(long)}`), 'search');
  }
  const beyond = await desk.request('GET', `${REVIEWS}?search=${'x'.repeat(100_000)}`);
  assert.equal(beyond.status, 431, 'more than any address may have');
});
