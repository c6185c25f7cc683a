import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertError } from '../dashboards/support.ts';
import { COMMENT, EXECUTIONS, EXPORT, existsFor, newDesk, REVIEWS, reviewsOf, STATS } from './support.ts';

const CREATE = { rating: 'bad', comment: COMMENT };
type Question = readonly [method: string, path: string, body?: unknown];

/** Every endpoint, about one review of one execution. */
const endpoints = (id: string, executionId: string) => ({
  read: [
    ['GET', existsFor(executionId)],
    ['GET', REVIEWS],
    ['GET', `${STATS}?agentId=support`],
    ['GET', EXPORT],
    ['GET', `${EXPORT}?format=dpo-jsonl`],
    ['GET', `${REVIEWS}/${id}`],
  ] as Question[],
  write: [
    ['POST', reviewsOf(executionId), CREATE],
    ['PATCH', `${REVIEWS}/${id}`, { priority: 'low' }],
    ['DELETE', `${REVIEWS}/${id}`],
  ] as Question[],
});

test('reviews: every endpoint requires a key', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({}, 'run');
  const { read, write } = endpoints(id, 'run');
  for (const [method, path, body] of [...read, ...write]) {
    for (const key of ['', 'wrong', `${desk.key.slice(0, -1)}${desk.key.endsWith('a') ? 'b' : 'a'}`]) {
      const answer = await desk.request(method, path, body, { 'x-api-key': key });
      assertError(answer, 401, 'Unauthorized');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
    }
  }
  assert.equal((await desk.list()).total, 1);
});

test('reviews: reviews:read and reviews:write are separate', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({}, 'run');
  const { read, write } = endpoints(id, 'run');
  const others = ['executions:read', 'executions:write', 'mcp:read', 'events:read', 'events:write'] as const;
  const reader = { 'x-api-key': await desk.newKey({ scopes: ['reviews:read', ...others] }) };
  const writer = { 'x-api-key': await desk.newKey({ scopes: ['reviews:write', ...others] }) };
  for (const [questions, right, wrong, scope] of [
    [read, reader, writer, 'reviews:read'],
    [write, writer, reader, 'reviews:write'],
  ] as const) {
    for (const [method, path, body] of questions) {
      const answer = await desk.request(method, path, body, wrong);
      assertError(answer, 403, 'Forbidden');
      assert.match(answer.body.message, new RegExp(scope));
      const challenge = answer.headers.get('www-authenticate');
      assert.equal(challenge, `Bearer realm="agent-runtime", error="insufficient_scope", scope="${scope}"`);
      const { status } = await desk.request(method, path, body, right);
      assert.equal(status, method === 'POST' ? 409 : method === 'DELETE' ? 204 : 200, `${method} ${path}`);
    }
  }
});

test('reviews: the scope is checked before the body is read', async () => {
  const desk = await newDesk();
  const reader = { 'x-api-key': await desk.newKey({ scopes: ['reviews:read'] }) };
  for (const body of ['{"broken', {}, { rating: 'x' }]) {
    assertError(await desk.request('POST', reviewsOf('run'), body, reader), 403, 'Forbidden');
    assertError(await desk.request('PATCH', `${REVIEWS}/x`, body, reader), 403, 'Forbidden');
  }
});

test("reviews: another tenant's review is 404 like an unknown one", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const theirs = await other.review({ tags: ['secret'], comment: 'segredo deles' }, 'run');
  for (const id of [theirs.id, 'nothing', theirs.executionId, ' ', '%00', "' OR 1=1 --"]) {
    for (const [method, body] of [['GET'], ['PATCH', { comment: 'roubado agora' }], ['DELETE']] as const) {
      const answer = await own.request(method, `${REVIEWS}/${id === '%00' ? id : encodeURIComponent(id)}`, body);
      assertError(answer, 404, 'Not Found');
      assert.equal(answer.body.message.replace(/".*"/s, '""'), 'There is no review "".');
    }
  }
  assert.deepEqual(await other.right('GET', `${REVIEWS}/${theirs.id}`), theirs);
  assert.deepEqual(await own.list('search=segredo&agentId=support'), { reviews: [], total: 0, limit: 50, offset: 0 });
  assert.equal((await own.right('GET', `${STATS}?agentId=support`)).total, 0);
  assert.deepEqual((await own.right('GET', EXPORT)).training_examples, []);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
});

test("POST /executions/:id/reviews: another tenant's server-made id is 403", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const made = await other.record({ output: 'secret' });
  await other.record({ id: 'run' });
  await other.review({}, made.id);
  for (const answer of [
    await own.request('POST', reviewsOf(made.id), CREATE),
    await own.request('GET', existsFor(made.id)),
  ]) {
    assertError(answer, 403, 'Forbidden');
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer realm="agent-runtime"');
  }
  assert.equal((await own.list()).total, 0);
  assert.deepEqual(await own.right('GET', existsFor('run')), { exists: false, review: null });
  assert.equal((await own.review({}, 'run')).executionId, 'run');
  const mine = await own.record();
  assert.equal((await own.review({}, mine.id)).executionId, mine.id, 'an id of the server made for oneself');
});

test('reviews: wrong methods are 405 with Allow on every path', async () => {
  const desk = await newDesk();
  const { id } = await desk.review();
  const allowed: [path: string, allow: string, ...wrong: string[]][] = [
    [reviewsOf('run'), 'POST', 'GET', 'PUT', 'PATCH', 'DELETE'],
    [existsFor('run'), 'GET, HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    [REVIEWS, 'GET, HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    [STATS, 'GET, HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    [EXPORT, 'GET, HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    [`${REVIEWS}/${id}`, 'GET, PATCH, DELETE, HEAD', 'POST', 'PUT'],
  ];
  for (const [path, allow, ...wrong] of allowed) {
    for (const method of wrong) {
      const answer = await desk.request(method, path, method === 'GET' ? undefined : {});
      assertError(answer, 405, 'Method Not Allowed');
      assert.equal(answer.headers.get('allow'), allow, `${method} ${path}`);
    }
  }
  for (const path of [`${REVIEWS}/${id}/more`, `${EXECUTIONS}/run/review`, `${REVIEWS}/export`]) {
    const { status } = await desk.request('GET', path);
    assert.equal(status, 404, path);
  }
});

test('reviews: HEAD equals GET without a body', async () => {
  const desk = await newDesk();
  const { id } = await desk.review({}, 'run');
  for (const [, path] of endpoints(id, 'run').read) {
    const answer = await desk.request('HEAD', path);
    assert.deepEqual([answer.status, answer.body], [200, ''], path);
  }
  assert.equal((await desk.request('HEAD', `${REVIEWS}/nothing`)).status, 404);
});

test('reviews: media types 415, broken bodies 400, large ones 413', async () => {
  const desk = await newDesk();
  const { id } = await desk.review();
  for (const [method, path] of [
    ['POST', reviewsOf('run')],
    ['PATCH', `${REVIEWS}/${id}`],
  ] as const) {
    assertError(await desk.request(method, path), 415, 'Unsupported Media Type');
    assertError(
      await desk.request(method, path, 'x=y', { 'content-type': 'text/plain' }),
      415,
      'Unsupported Media Type',
    );
    for (const body of ['{"rating":', '[]', 'null', '7', '']) {
      assertError(await desk.request(method, path, body), 400, 'Bad Request');
    }
    const large = { rating: 'bad', comment: COMMENT, correctedOutput: 'x'.repeat(2 * 1024 * 1024) };
    assertError(await desk.request(method, path, large), 413, 'Payload Too Large');
  }
});
