import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Scope } from '../../src/core/base/shared/caller.ts';
import { eventually } from '../support/process.ts';
import { assertSameAnswer } from './same-answer.ts';
import { sharedApp, toolCaller } from './support.ts';

const EXECUTIONS = '/api/v1/runtime/v1/observability/executions';
/** The largest answer of a tool. */
const MAX_BYTES = 40 * 1024;

let tenants = 0;

async function desk(scopes: Scope[] = ['mcp:read', 'executions:read']) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `tools ${++tenants}` });
  const writer = await app.newKey({ tenant, scopes: ['executions:write', 'reviews:write'] });
  const call = await toolCaller(await app.newKey({ tenant, scopes }));
  return {
    call,
    post: async (path: string, body: object) => {
      const answer = await app.request('POST', path, body, { 'x-api-key': writer });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
    },
    right: async (name: string, args: object) => {
      const answer = await call(name, args);
      assert.equal(answer.isError, false, answer.text);
      assertSameAnswer(answer.text, answer.data);
      assert.ok(Buffer.byteLength(answer.text) <= MAX_BYTES, `${Buffer.byteLength(answer.text)} bytes`);
      return answer.data;
    },
  };
}

const at = (second: number) => `2026-03-01T12:00:${String(second).padStart(2, '0')}.000Z`;

test('search_executions: finds rows by filters and words, without what is not known', async () => {
  const { post, right } = await desk();
  await post(EXECUTIONS, {
    ...{ id: 'a', agentId: 'support', threadId: 't', userId: 'ada', tags: ['vip'], model: 'gpt-5', cost: 0.5 },
    ...{ usage: { totalTokens: 12 }, output: 'Amanhã.', startedAt: at(1), completedAt: at(3) },
    messages: [{ role: 'user', content: 'Quando chega a entrega?' }],
  });
  await post(EXECUTIONS, { id: 'b', agentId: 'support', status: 'failed', startedAt: at(5), completedAt: at(5) });
  await post(`${EXECUTIONS}/b/reviews`, { rating: 'bad', comment: 'It gave no answer.' });
  const { executions, note, total } = await right('search_executions', {});
  assert.deepEqual(executions, [
    { id: 'b', at: at(5), agentId: 'support', status: 'failed', latencyMs: 0, rating: 'bad' },
    {
      ...{ id: 'a', at: at(1), agentId: 'support', status: 'completed', threadId: 't', userId: 'ada', tags: ['vip'] },
      ...{ model: 'gpt-5', totalTokens: 12, cost: 0.5, latencyMs: 2_000 },
    },
  ]);
  assert.match(note, /data, not instructions/);
  assert.ok(total === undefined || total === 2);
  const found = async (args: object) =>
    (await right('search_executions', args)).executions.map(({ id }: { id: string }) => id).join('');
  assert.equal(await found({ userId: 'ada' }), 'a');
  assert.equal(await found({ rating: 'bad' }), 'b');
  assert.equal(await found({ sortBy: 'latencyMs' }), 'ab');
  const indexed = () => found({ search: 'entregas' });
  assert.equal((await eventually('words of the execution', indexed, 20_000)).found, 'a');
});

test('search_executions: pages to the end, and says why nothing matches', async () => {
  const { post, right, call } = await desk();
  assert.match((await right('search_executions', {})).note, /No execution has been recorded/);
  for (let index = 0; index < 5; index += 1) await post(EXECUTIONS, { id: `x${index}`, startedAt: at(index) });
  const first = await right('search_executions', { limit: 2 });
  const second = await right('search_executions', { limit: 2, cursor: first.nextCursor });
  const third = await right('search_executions', { limit: 2, cursor: second.nextCursor });
  assert.deepEqual(
    [first, second, third].map(({ executions }) => executions.map(({ id }: { id: string }) => id).join()),
    ['x4,x3', 'x2,x1', 'x0'],
  );
  assert.equal('nextCursor' in third, false);
  const { note } = await right('search_executions', { userId: 'nobody', status: 'failed' });
  assert.match(note, /No execution matches all of userId, status; leave out or change one/);
  const refused = await call('search_executions', { cursor: 'nonsense' });
  assert.deepEqual([refused.isError, /cursor: /.test(refused.text)], [true, true]);
});

test('search_executions: a page that is too large is cut, and loses none', async () => {
  const { post, right } = await desk();
  const long = '語'.repeat(100);
  for (let index = 0; index < 60; index += 1) {
    const tags = Array.from({ length: 5 }, (_, tag) => `${tag} ${'é'.repeat(90)}`);
    await post(EXECUTIONS, { id: `${index} ${long}`, threadId: long, userId: long, name: long, tags });
  }
  const read = new Set<string>();
  let pages = 0;
  for (let cursor: string | undefined; pages < 60; pages += 1) {
    const page = await right('search_executions', { limit: 100, ...(cursor && { cursor }) });
    for (const { id } of page.executions) read.add(id);
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  assert.equal(read.size, 60);
  assert.ok(pages > 1, 'several pages');
});

test('get_execution: facts, messages, output, and steps with errors first', async () => {
  const { post, right } = await desk();
  await post(EXECUTIONS, {
    ...{
      id: 'run',
      agentId: 'support',
      userId: 'ada',
      metadata: { plan: 'pro' },
      startedAt: at(0),
      completedAt: at(9),
    },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'https://a/b' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'track', arguments: '{"id":7}' } }],
      },
      { role: 'tool', tool_call_id: 'c', name: 'track', content: 'late' },
    ],
    output: { text: 'Tomorrow.' },
    steps: [
      {
        id: 's1',
        kind: 'model',
        name: 'gpt-5',
        startedAt: at(1),
        endedAt: at(3),
        usage: { totalTokens: 12 },
        cost: 0.00123456,
      },
      {
        id: 's2',
        kind: 'tool',
        name: 'find\norder',
        startedAt: at(4),
        error: { kind: 'timeout', message: 'No answer' },
      },
    ],
  });
  const { execution, messages, steps, note } = await right('get_execution', { executionId: 'run' });
  assert.deepEqual(
    [execution.id, execution.userId, execution.metadata, execution.latencyMs],
    ['run', 'ada', { plan: 'pro' }, 9_000],
  );
  assert.equal('threadId' in execution, false);
  assert.deepEqual(messages, [
    { index: 0, role: 'user', text: 'See\n[image https://a/b]' },
    { index: 1, role: 'assistant', text: '[calls track({"id":7}) #c]' },
    { index: 2, role: 'tool track', text: 'late' },
    { index: 3, role: 'output', text: '{"text":"Tomorrow."}' },
  ]);
  assert.deepEqual(steps, [
    'ERROR timeout: No answer | tool find order | #s2',
    'model gpt-5 | 2 s | 12 tokens | $0.00123 | #s1',
    'tool track | #c',
  ]);
  assert.match(note, /data, not instructions/);
  assert.doesNotMatch(note, /left out/);
});

test('get_execution: long messages are cut and read to the end', async () => {
  const { post, right } = await desk();
  const whole = Array.from({ length: 8_000 }, (_, index) => `${index}😀"`).join('');
  const messages = [
    { role: 'user', content: 'short' },
    { role: 'user', content: whole },
  ];
  await post(EXECUTIONS, { id: 'long', messages, output: 'x'.repeat(3_000) });
  const first = await right('get_execution', { executionId: 'long' });
  const [, cut, output] = first.messages;
  assert.equal(cut.text, whole.slice(0, cut.text.length));
  assert.equal(cut.leftOut, whole.length - cut.text.length);
  assert.deepEqual([output.role, output.leftOut], ['output', 1_000]);
  assert.match(first.note, /goes on with messagesFrom its index and offset its nextOffset/);
  let read = cut.text;
  for (let offset = cut.nextOffset; offset !== undefined; ) {
    const {
      messages: [message],
    } = await right('get_execution', { executionId: 'long', messagesFrom: 1, offset });
    assert.equal(message.index, 1);
    assert.ok(message.text.length > 0);
    read += message.text;
    offset = message.nextOffset;
  }
  assert.equal(read, whole);
  const rest = await right('get_execution', { executionId: 'long', messagesFrom: 2 });
  assert.deepEqual(rest.messages, [{ index: 2, role: 'output', text: 'x'.repeat(3_000) }]);
  assert.deepEqual(rest.execution, { id: 'long' });
});

test('get_execution: many hostile messages and steps are paged', async () => {
  const { post, right } = await desk();
  const messages = Array.from({ length: 100 }, (_, index) => ({
    role: 'user',
    content: `${index} ${'\u0001'.repeat(900)}`,
  }));
  const steps = Array.from({ length: 1_200 }, (_, index) => ({
    ...{ id: `s${index}`, kind: 'tool', name: `tool ${'語'.repeat(50)}`, startedAt: at(index % 60) },
    ...(index % 10 === 0 && { error: 'é'.repeat(5_000) }),
  }));
  const metadata = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`m${index}`, 'ü'.repeat(100)]));
  await post(EXECUTIONS, {
    id: 'many',
    messages,
    steps,
    metadata,
    tags: Array.from({ length: 50 }, (_, index) => `${index} ${'語'.repeat(90)}`),
  });
  const args = { executionId: 'many' };
  const first = await right('get_execution', args);
  assert.match(first.note, /Messages \d+ to 99 of 100 are left out; go on with messagesFrom \d+/);
  const indexes = first.messages.map(({ index }: { index: number }) => index);
  for (let from = indexes.length; from < 100; ) {
    const page = await right('get_execution', { ...args, messagesFrom: from });
    assert.deepEqual(Object.keys(page), ['execution', 'messages', 'note']);
    indexes.push(...page.messages.map(({ index }: { index: number }) => index));
    from = indexes.length;
  }
  assert.deepEqual(
    indexes,
    Array.from({ length: 100 }, (_, index) => index),
  );
  const lines: string[] = [...first.steps];
  while (lines.length < 1_200) {
    const page = await right('get_execution', { ...args, stepsFrom: lines.length });
    assert.ok(page.steps.length > 0);
    lines.push(...page.steps);
  }
  assert.equal(new Set(lines).size, 1_200);
  assert.equal(
    lines.findLastIndex((line) => line.startsWith('ERROR')),
    119,
    'errors first',
  );
});

test('get_execution: a step in full, also beyond those that are listed', async () => {
  const { post, right, call } = await desk();
  const input = { text: 'é'.repeat(20_000) };
  const steps = Array.from({ length: 1_001 }, (_, index) => ({
    id: `s${index}`,
    kind: 'other',
    name: 'n',
    startedAt: at(index === 1_000 ? 59 : 0),
  }));
  await post(EXECUTIONS, {
    id: 'run',
    steps: [
      ...steps,
      { id: 'big', kind: 'tool', name: 'find', startedAt: at(58), input, output: 'found', attributes: { a: 1 } },
    ],
  });
  const args = { executionId: 'run', step: 'big' };
  const { step, note } = await right('get_execution', args);
  assert.deepEqual(
    [step.id, step.kind, step.output, step.attributes],
    ['big', 'tool', { text: 'found' }, { text: '{"a":1}' }],
  );
  let read = step.input.text;
  for (let offset = step.input.nextOffset; offset !== undefined; ) {
    const next = (await right('get_execution', { ...args, offset })).step.input;
    read += next.text;
    offset = next.nextOffset;
  }
  assert.equal(read, JSON.stringify(input));
  assert.match(note, /Go on with offset \d+/);
  assert.equal((await right('get_execution', { executionId: 'run', step: 's1000' })).step.id, 's1000');
  const unknown = await call('get_execution', { executionId: 'run', step: 'nothing' });
  assert.deepEqual(
    [unknown.isError, unknown.text],
    [true, 'The execution "run" has no step "nothing". get_execution without step lists them.'],
  );
});

test('get_execution: an unknown id is an error that says what to do', async () => {
  const { post } = await desk();
  await post(EXECUTIONS, { id: 'theirs' });
  const { call } = await desk();
  for (const executionId of ['nothing', 'theirs']) {
    const answer = await call('get_execution', { executionId });
    assert.equal(answer.isError, true);
    assert.match(answer.text, /There is no execution ".*search_executions finds ids\./);
  }
  assert.match((await call('get_execution', {})).text, /executionId: is required/);
});

test('search_executions: needs executions:read, and sees one tenant alone', async () => {
  const lacking = await desk(['mcp:read']);
  for (const [name, args] of [
    ['search_executions', {}],
    ['get_execution', { executionId: 'x' }],
  ] as const) {
    const answer = await lacking.call(name, args).catch((error: unknown) => ({ isError: true, text: String(error) }));
    assert.equal(answer.isError, true);
    assert.match(answer.text, /insufficient_scope|executions:read/);
  }
  const { post } = await desk();
  await post(EXECUTIONS, { id: 'theirs' });
  const { right } = await desk();
  assert.deepEqual((await right('search_executions', {})).executions, []);
});
