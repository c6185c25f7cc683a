import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../../../src/core/base/shared/effects.ts';
import { testApp } from '../../../support/app.ts';
import { assertError, assertNames, UTC, UUID_V7 } from '../dashboards/support.ts';
import { EXECUTIONS, newDesk, sharedApp } from '../reviews/support.ts';

const MESSAGES = [
  { role: 'system', content: 'Responda em português.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Onde está?' },
      { type: 'image_url', image_url: { url: 'https://a/b.png', detail: 'low' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'track', arguments: '{"id":7}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', name: 'track', content: '{"state":"late"}' },
  {
    role: 'user',
    content: [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } }],
  },
  { role: 'assistant', content: 'Amanhã.' },
];

const FULL = {
  agentId: 'billing',
  ...{ threadId: 'thread 1', userId: 'ada', name: 'answer', tags: ['vip', 'b'], metadata: { shop: 'br', deep: 2.5 } },
  ...{ parentId: 'a parent to come', cost: 0.25 },
  messages: MESSAGES,
  output: { text: 'Amanhã.', score: 0.25, none: null, list: [1, 'a', true] },
  status: 'completed',
  provider: 'openai',
  model: 'gpt-5',
  usage: { input_tokens: 12, details: { cached: [3] } },
  startedAt: '2026-03-01T12:00:00.000Z',
  completedAt: '2026-03-01T12:00:05.250Z',
};

test('POST /executions: every member is stored and returned', async () => {
  const desk = await newDesk();
  const answer = await desk.request('POST', EXECUTIONS, { id: 'run/1 ü?#', ...FULL });
  assert.equal(answer.status, 201);
  const { createdAt, updatedAt, steps, ...shown } = answer.body;
  assert.deepEqual(shown, {
    ...{ id: 'run/1 ü?#', source: 'api', errorKind: null, ...FULL, costBasis: 'sent', latencyMs: 5_250 },
    ...{ inputTokens: 12, outputTokens: null, totalTokens: 12, stepsTotal: 0, chat: null },
  });
  const [{ id, kind, name, input, output, isFromMessages, startedAt }, ...others] = steps;
  assert.deepEqual(
    [id, kind, name, input, output, isFromMessages, startedAt, others],
    ['c1', 'tool', 'track', '{"id":7}', '{"state":"late"}', true, null, []],
  );
  assert.match(createdAt, UTC);
  assert.equal(updatedAt, createdAt);
  assert.deepEqual(await desk.right('GET', `${EXECUTIONS}/${encodeURIComponent('run/1 ü?#')}`), answer.body);
});

test('POST /executions: a new execution has equal createdAt and updatedAt', async (t) => {
  let time = Date.now();
  const app = await testApp(t, {}, { ...realEffects, now: () => time++ });
  const { createdAt, updatedAt } = await (await newDesk(app)).record();
  assert.equal(updatedAt, createdAt);
});

test("POST /executions: defaults are a new id, the key's agent and running", async () => {
  const desk = await newDesk();
  const { id, createdAt, updatedAt, ...shown } = await desk.record();
  assert.match(id, UUID_V7);
  assert.deepEqual(shown, {
    ...{ agentId: 'support', threadId: null, status: 'running', messages: [], output: null, provider: null },
    ...{ model: null, usage: null, startedAt: null, completedAt: null, chat: null, userId: null, name: null, tags: [] },
    ...{ metadata: {}, parentId: null, source: 'api', errorKind: null, latencyMs: null, cost: null, costBasis: null },
    ...{ inputTokens: null, outputTokens: null, totalTokens: null, steps: [], stepsTotal: 0 },
  });
  assert.notEqual((await desk.record()).id, id, 'without an id, another one');
  const unbound = { 'x-api-key': await desk.newKey({ agentId: null }) };
  assert.equal((await desk.right('POST', EXECUTIONS, {}, unbound)).agentId, 'default');
});

test('POST /executions: a repeated id updates the given members', async () => {
  const desk = await newDesk();
  let expected = await desk.record({ id: 'run', agentId: 'billing', startedAt: '2026-03-01T12:00:00Z' });
  const changes: object[] = [
    { messages: MESSAGES.slice(0, 2) },
    { provider: 'anthropic' },
    { model: 'claude' },
    { usage: { a: 1 } },
    { usage: { b: 2 } },
    { threadId: 'thread' },
    { messages: MESSAGES },
    { startedAt: '2026-03-01T09:00:00.000Z' },
    {},
  ];
  for (const members of changes) {
    const answer = await desk.request('POST', EXECUTIONS, { id: 'run', ...members });
    assert.equal(answer.status, 200);
    expected = { ...expected, ...members, updatedAt: answer.body.updatedAt, steps: answer.body.steps };
    assert.deepEqual(answer.body, expected);
  }
  assert.equal(expected.status, 'running');
  const done = await desk.record({ id: 'run', output: 'Amanhã.' });
  assert.match(done.completedAt, UTC);
  assert.deepEqual(done, {
    ...expected,
    ...{ output: 'Amanhã.', status: 'completed', latencyMs: done.latencyMs },
    completedAt: done.completedAt,
    updatedAt: done.updatedAt,
  });
  assert.deepEqual(await desk.right('GET', `${EXECUTIONS}/run`), done);
});

test('POST /executions: the same request twice has one effect', async () => {
  const desk = await newDesk();
  for (const [id, members] of Object.entries({
    full: FULL,
    output: { output: 'x' },
    cancelled: { status: 'cancelled' },
    cleared: { status: 'completed', completedAt: null },
    nothing: {},
  })) {
    const first = await desk.request('POST', EXECUTIONS, { id, ...members });
    const again = await desk.request('POST', EXECUTIONS, { id, ...members });
    assert.deepEqual([first.status, again.status], [201, 200]);
    assert.deepEqual({ ...again.body, updatedAt: first.body.updatedAt }, first.body, id);
  }
});

test('POST /executions: an output or an end completes a running execution', async () => {
  const desk = await newDesk();
  const state = async (members: object) => {
    const { status, completedAt } = await desk.record({ id: 'run', ...members });
    return [status, completedAt === null ? null : UTC.test(completedAt)];
  };
  assert.deepEqual(await state({ output: null }), ['running', null]);
  assert.deepEqual(await state({ output: 0 }), ['completed', true], 'anything but null is an output');
  assert.deepEqual((await desk.record({ output: [] })).output, [], 'an empty list, too');
  assert.deepEqual(await state({ status: 'running' }), ['running', null]);
  assert.deepEqual(await state({ completedAt: '2026-03-01T12:00:00Z' }), ['completed', true]);
  assert.deepEqual(await state({ status: 'failed' }), ['failed', true]);
  assert.deepEqual(await state({ output: 'late' }), ['failed', true]);
  assert.deepEqual(await state({ status: 'cancelled', output: '' }), ['cancelled', true]);
});

test('POST /executions: no end while running, and none before the start', async () => {
  const desk = await newDesk();
  const refused = async (field: RegExp, members: object) => {
    const answer = await desk.request('POST', EXECUTIONS, members);
    assertError(answer, 422, 'Unprocessable Entity');
    assert.match(answer.body.message, field);
  };
  await refused(/^completedAt: /, { status: 'running', completedAt: '2026-03-01T12:00:00Z' });
  await refused(/^completedAt: /, { startedAt: '2026-03-01T12:00:00.001Z', completedAt: '2026-03-01T12:00:00Z' });
  const same = { startedAt: '2026-03-01T12:00:00Z', completedAt: '2026-03-01T12:00:00Z' };
  await desk.record({ id: 'same', ...same });
  await refused(/^startedAt: /, { id: 'same', startedAt: '2026-03-01T12:00:01Z' });
  await refused(/^completedAt: /, { id: 'same', completedAt: '2026-03-01T11:00:00Z' });
  assert.equal(
    (await desk.right('GET', `${EXECUTIONS}/same`)).startedAt,
    '2026-03-01T12:00:00.000Z',
    'nothing changed',
  );
});

test("POST /executions: a client clock ahead of the server's is tolerated", async () => {
  const desk = await newDesk();
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const { startedAt, completedAt } = await desk.record({ startedAt: ahead, output: 'x' });
  assert.deepEqual([startedAt, completedAt], [ahead, ahead]);
});

test('POST /executions: times have any offset and are returned in UTC', async () => {
  const desk = await newDesk();
  const shown = async (startedAt: string) => (await desk.record({ startedAt })).startedAt;
  assert.equal(await shown('2026-03-01T12:30:00-03:00'), '2026-03-01T15:30:00.000Z');
  assert.equal(await shown('2026-03-01T12:30:00.123456+0530'), '2026-03-01T07:00:00.123Z');
  assert.equal(await shown('2026-03-01 12:30'), '2026-03-01T12:30:00.000Z');
  assert.equal(await shown('2026-03-01'), '2026-03-01T00:00:00.000Z');
  for (const bad of [
    '',
    'yesterday',
    '-1d',
    '2026-02-30',
    '2026-13-01',
    '12:30',
    '2026-03-01T25:00:00Z',
    1,
    {},
    [1],
    true,
  ]) {
    assertNames(
      await desk.request('POST', EXECUTIONS, { startedAt: bad, completedAt: bad }),
      'startedAt',
      'completedAt',
    );
  }
});

test('POST /executions: an execution keeps its agent', async () => {
  const desk = await newDesk();
  await desk.record({ id: 'run' });
  const answer = await desk.request('POST', EXECUTIONS, { id: 'run', agentId: 'other', output: 'x' });
  assertError(answer, 409, 'Conflict');
  assert.match(answer.body.message, /"support"/);
  const key = { 'x-api-key': await desk.newKey({ agentId: 'other' }) };
  assert.equal((await desk.right('POST', EXECUTIONS, { id: 'run', output: 'y' }, key)).agentId, 'support');
  const app = await sharedApp();
  const names = (await app.runtime.agents.listAll({ tenantId: desk.tenantId })).map(({ name }) => name);
  assert.deepEqual(names, ['default', 'other', 'support'], 'registered by their first use');
});

test("GET /executions/:id: another tenant's is 403 or 404 by the maker of its id", async () => {
  const [own, other] = [await newDesk(), await newDesk()];
  const made = await other.record({ output: 'secret' });
  await other.record({ id: 'run', output: 'secret' });
  for (const answer of [
    await own.request('GET', `${EXECUTIONS}/${made.id}`),
    await own.request('POST', EXECUTIONS, { id: made.id, output: 'mine' }),
  ]) {
    assertError(answer, 403, 'Forbidden');
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm="agent-runtime"$/);
    assert.doesNotMatch(JSON.stringify(answer.body), /secret/);
  }
  assertError(await own.request('GET', `${EXECUTIONS}/run`), 404, 'Not Found');
  const mine = await own.request('POST', EXECUTIONS, { id: 'run', output: 'mine' });
  assert.equal(mine.status, 201, 'the same name is another execution');
  assert.equal((await other.right('GET', `${EXECUTIONS}/run`)).output, 'secret');
  assert.equal((await other.right('GET', `${EXECUTIONS}/${made.id}`)).output, 'secret');
  assertError(await own.request('GET', `${EXECUTIONS}/nothing`), 404, 'Not Found');
});
