import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chat, chatApp, EXECUTIONS, eventsOf, type Received } from '../../../support/chat.ts';
import { chatEvents } from '../../../support/chat-events.ts';
import { fakeUpstream } from '../../../support/upstream/server.ts';

const CALL = { type: 'toolCall', id: 'call_1', name: 'find_order', arguments: '{"order":42}' } as const;

test('POST /chat: an answer streams as plain text and is recorded', async (t) => {
  const app = await chatApp(t);
  const received = await chat(app, app.ask());
  assert.equal(received.status, 200);
  assert.equal(received.text, 'Olá mundo 🌍');
  assert.ok(received.complete);
  const { headers } = received;
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['transfer-encoding'], 'chunked');
  assert.match(headers['cache-control'] ?? '', /no-transform/);
  assert.equal(headers['x-accel-buffering'], 'no');
  assert.equal(headers['x-provider'], 'custom');
  assert.equal(headers['x-model'], 'llama3.2');
  assert.equal(headers['x-dropped-params'], undefined);
  assert.equal(headers['x-finish-reason'], undefined);
  const { chat: facts, ...execution } = await app.executionOf(received);
  assert.equal(execution.status, 'completed');
  assert.equal(execution.agentId, 'support');
  assert.deepEqual(execution.messages, [{ role: 'user', content: 'Say hello.' }]);
  assert.equal(execution.output, 'Olá mundo 🌍');
  assert.deepEqual(execution.usage, { inputTokens: 12, outputTokens: 5 });
  assert.equal(facts.projectId, 'shop');
  assert.equal(facts.providerName, 'local');
  assert.equal(facts.finishReason, 'stop');
  assert.equal(facts.cost, null);
  assert.ok(facts.timeToFirstTokenMs <= facts.latencyMs);
});

test('POST /chat: empty instructions count as none', async (t) => {
  const app = await chatApp(t);
  const tools = [{ type: 'function', function: { name: 'find_order', description: '' } }];
  const received = await chat(app, app.ask({ instructions: '', tools }));
  assert.equal(received.status, 200, received.text);
  const { body } = app.upstream.requests.at(-1)!;
  const sent = body as { messages: { role: string }[]; tools: unknown };
  assert.deepEqual(
    sent.messages.map(({ role }) => role),
    ['user'],
  );
  assert.deepEqual(sent.tools, [{ type: 'function', function: { name: 'find_order' } }]);
});

test('POST /chat: the first text is sent before the rest arrives', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'first' }, { type: 'hold' }, { type: 'text', text: ' last' }] });
  const seen: string[] = [];
  const received = await chat(app, app.ask(), {
    onData: (text) => {
      seen.push(text);
      app.upstream.release();
    },
  });
  assert.deepEqual(seen, ['first', ' last']);
  assert.equal(received.text, 'first last');
});

test('POST /chat: events are reasoning, text, whole calls, usage and finish', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({
    pieces: [{ type: 'reasoning', text: 'They greet.' }, { type: 'text', text: 'Hello.' }, CALL],
    usage: { inputTokens: 30, outputTokens: 9, cachedInputTokens: 10, reasoningTokens: 3 },
  });
  const received = await chat(app, app.ask({ tools: [{ type: 'function', function: { name: 'find_order' } }] }), {
    accept: 'text/event-stream',
  });
  assert.equal(received.headers['content-type'], 'text/event-stream; charset=utf-8');
  const called = { name: 'find_order', arguments: '{"order":42}' };
  const extra_content = { chat_completions: { reasoning_content: 'They greet.' } };
  const call = { id: 'call_1', type: 'function', function: called, extra_content };
  assert.deepEqual(eventsOf(received.text), [
    { event: 'reasoning', data: { text: 'They greet.' } },
    { event: 'text', data: { text: 'Hello.' } },
    { event: 'tool_call', data: call },
    { event: 'usage', data: { inputTokens: 30, outputTokens: 9, cachedInputTokens: 10, reasoningTokens: 3 } },
    {
      event: 'done',
      data: {
        finishReason: 'tool_calls',
        executionId: received.headers['x-execution-id'],
        provider: 'custom',
        providerName: 'local',
        model: 'llama3.2',
      },
    },
  ]);
  const { messages, output } = await app.executionOf(received);
  assert.deepEqual(messages.at(-1), { role: 'assistant', content: 'Hello.', tool_calls: [call] });
  assert.equal(output, 'Hello.');
});

test('POST /chat: the Accept header chooses between events and text', async (t) => {
  const app = await chatApp(t);
  const accepted: [string, 'text/plain' | 'text/event-stream'][] = [
    ['*/*', 'text/plain'],
    ['text/*', 'text/plain'],
    ['application/json', 'text/plain'],
    ['text/event-stream;q=0', 'text/plain'],
    ['text/plain, text/event-stream;q=0.5', 'text/plain'],
    ['Text/Event-Stream', 'text/event-stream'],
    ['text/event-stream, */*', 'text/event-stream'],
    ['application/json, text/event-stream', 'text/event-stream'],
  ];
  for (const [accept, contentType] of accepted) {
    const { headers } = await chat(app, app.ask(), { accept });
    assert.equal(headers['content-type'], `${contentType}; charset=utf-8`, accept);
  }
});

test('POST /chat: an answer of calls only is an empty 200 that says so', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [CALL] });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 200);
  assert.equal(received.text, '');
  assert.equal(received.headers['x-finish-reason'], 'tool_calls');
  assert.ok(received.complete);
});

test('POST /chat: an empty or filtered answer is empty and has its reason', async (t) => {
  const app = await chatApp(t);
  for (const finish of ['stop', 'content_filter', 'length'] as const) {
    app.upstream.script({ pieces: [], finish });
    const received = await chat(app, app.ask());
    assert.deepEqual([received.status, received.text, received.headers['x-finish-reason']], [200, '', finish]);
    const { chat: facts, usage } = await app.executionOf(received);
    assert.deepEqual([facts.timeToFirstTokenMs, facts.finishReason], [null, finish], 'there was no first token');
    assert.ok(usage.inputTokens > 0);
  }
});

test('POST /chat: lowered members are named with both values', async (t) => {
  const app = await chatApp(t, {}, { capabilities: { seed: false, maxOutputTokens: 100 } });
  const body = app.ask({ seed: 7, maxTokens: 500 });
  const named = ['seed', 'maxTokens: 500 -> 100'];
  const received = await chat(app, body);
  assert.equal(received.headers['x-dropped-params'], named.join(','));
  assert.equal(app.upstream.requests[0]!.body.max_tokens, 100);
  const [first] = eventsOf((await chat(app, body, { accept: 'text/event-stream' })).text);
  assert.deepEqual([first!.event, first!.data.droppedParams], ['warning', named]);
  assert.match(first!.data.message, /seed, maxTokens: 500 -> 100/);
  assert.deepEqual((await app.executionOf(received)).chat.droppedParams, named);
});

test('POST /chat: a temperature that Claude takes only lower is named', async (t) => {
  const app = await chatApp(t);
  const claude = await fakeUpstream(t);
  await app.runtime.providers.apply(app.tenantId, {
    ...{ name: 'claude', provider: 'anthropic', baseUrl: claude.baseUrl('anthropic'), apiKey: 'sk-ant-1234' },
    ...{ allowPrivateNetwork: true, strict: true },
  });
  const model = { provider: 'anthropic', providerName: 'claude', model: 'claude-sonnet-4-5' };
  const body = app.ask({ ...model, temperature: 2 });
  const received = await chat(app, body);
  assert.equal(received.headers['x-dropped-params'], 'temperature: 2 -> 1');
  assert.equal(claude.requests[0]!.body.temperature, 1);
  const events = eventsOf((await chat(app, body, { accept: 'text/event-stream' })).text);
  const warnings = events.filter(({ event }) => event === 'warning');
  assert.deepEqual(
    warnings.map(({ data }) => data.droppedParams),
    [['temperature: 2 -> 1']],
    'it is said once',
  );
  assert.deepEqual((await app.executionOf(received)).chat.droppedParams, ['temperature: 2 -> 1']);
});

test('POST /chat: defaults of the definition fill missing members', async (t) => {
  const app = await chatApp(t, {}, { defaults: { temperature: 0.1, maxTokens: 50, instructions: 'Be brief.' } });
  await chat(app, app.ask({ maxTokens: 20 }));
  const { body } = app.upstream.requests[0]!;
  assert.equal(body.temperature, 0.1);
  assert.equal(body.max_tokens, 20);
  assert.deepEqual(body.messages[0], { role: 'system', content: 'Be brief.' });
});

test('POST /chat: an answer without usage gets an estimate marked as such', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ usage: null });
  const { usage } = await app.executionOf(await chat(app, app.ask()));
  assert.deepEqual(usage, { inputTokens: 3, outputTokens: 3, estimated: true });
});

test('POST /chat: an answer that breaks off resets the connection after an error event', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'half' }, { type: 'hold' }], fault: { type: 'cut', after: 2 } });
  const received = await chat(app, app.ask(), {
    accept: 'text/event-stream',
    onData: () => app.upstream.release(),
  });
  assert.equal(received.status, 200);
  assert.equal(received.complete, false);
  const events = eventsOf(received.text);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['text', 'error'],
  );
  assert.equal(events[1]!.data.statusCode, 502);
  assert.ok(events[1]!.data.requestId);
  const execution = await app.executionOf(received);
  assert.equal(execution.status, 'failed');
  assert.equal(execution.output, 'half');
  assert.equal(execution.usage.estimated, true);
  assert.equal(execution.chat.error.kind, 'broken');
});

test('POST /chat: chats are events for KPIs and hidden from the feed', async (t) => {
  const app = await chatApp(t);
  for (let count = 0; count < 3; count++) await app.executionOf(await chat(app, app.ask()));
  app.upstream.script({ fault: { type: 'status', status: 400 } });
  await app.executionOf(await chat(app, app.ask()));
  await app.runtime.eventStore.settle();
  const client = await app.mcpClient();
  const ask = async (question: object) =>
    (await client.callTool({ name: 'aggregate_events', arguments: { ...question } })).structuredContent as {
      value: number;
      groups?: object[];
    };
  const completed = { eventName: 'runtime.chat_completed' };
  assert.equal((await ask({ ...completed, aggregation: 'count' })).value, 3);
  assert.equal((await ask({ ...completed, aggregation: 'sum', propertyKey: 'outputTokens' })).value, 15);
  assert.ok((await ask({ ...completed, aggregation: 'p95', propertyKey: 'timeToFirstTokenMs' })).value >= 0);
  const failed = await ask({ eventName: 'runtime.chat_failed', aggregation: 'count', group_by: 'error' });
  assert.deepEqual(failed.groups, [{ group: 'refused', value: 1 }]);
  const { body } = await app.request('GET', '/api/v1/runtime/v1/observability/events/feed');
  assert.equal(body.total, 0);
});

test('POST /chat: a chat can be assigned to a thread and reviewed', async (t) => {
  const app = await chatApp(t);
  const received = await chat(app, app.ask());
  const id = received.headers['x-execution-id'] as string;
  const path = '/api/v1/runtime/v1/observability/executions';
  const put = await app.request('POST', path, { id, threadId: 'thread-1' });
  assert.equal(put.status, 200);
  assert.equal(put.body.threadId, 'thread-1');
  assert.equal(put.body.output, 'Olá mundo 🌍');
  const members = {
    usage: { inputTokens: 1 },
    cost: 5,
    status: 'failed',
    model: 'm',
    startedAt: '2026-01-01T00:00:00Z',
  };
  for (const [name, value] of Object.entries(members)) {
    const refused = await app.request('POST', path, { id, threadId: 'thread-2', [name]: value });
    assert.deepEqual([refused.status, refused.body.message.split(':')[0]], [422, name]);
  }
  assert.deepEqual((await app.request('GET', `${path}/${id}`)).body, put.body, 'nothing half written');
  const review = await app.request('POST', `${path}/${id}/reviews`, {
    rating: 'good',
    comment: 'A friendly greeting.',
  });
  assert.equal(review.status, 201);
  assert.equal(review.body.agentId, 'support');
});

test('DELETE thread: a chat that its events name is erased, even one just ended', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'one' }, { type: 'hold' }] });
  let executionId: unknown;
  const received = await chat(app, app.ask(), {
    onHead: async (headers) => {
      executionId = headers['x-execution-id'];
      await app.ingest([{ eventName: 'asked', threadId: 'thread-1', executionId }]);
      app.upstream.release();
    },
  });
  assert.equal(received.text, 'one');
  await app.runtime.erasure.erase({ tenant: 'default', threadId: 'thread-1' });
  assert.equal((await app.executionOf(received)).statusCode, 404);
});

test('DELETE thread: events of its chats are erased, those of others stay', async (t) => {
  const app = await chatApp(t);
  const [named, put, other] = [await chat(app, app.ask()), await chat(app, app.ask()), await chat(app, app.ask())];
  const idOf = ({ headers }: Received) => headers['x-execution-id'];
  await app.ingest([{ eventName: 'asked', threadId: 'thread-1', executionId: idOf(named) }]);
  assert.equal((await app.request('POST', EXECUTIONS, { id: idOf(put), threadId: 'thread-1' })).status, 200);
  const { erased } = await app.runtime.erasure.erase({ tenant: 'default', threadId: 'thread-1' });
  assert.deepEqual(erased, { reviews: 0, assessments: 0, executions: 2, events: 5 });
  const told = await chatEvents(app, 'runtime.chat_completed', 1);
  assert.deepEqual(
    told.map(({ executionId }) => executionId),
    [idOf(other)],
  );
});

test('POST /chat: chatRecording decides what is recorded', async (t) => {
  const metadata = await chatApp(t, { chatRecording: 'metadata' });
  const execution = await metadata.executionOf(await chat(metadata, metadata.ask()));
  assert.deepEqual([execution.messages, execution.output], [[], null]);
  assert.equal(execution.usage.inputTokens, 12);
  const off = await chatApp(t, { chatRecording: 'off' });
  const received = await chat(off, off.ask());
  assert.equal(received.text, 'Olá mundo 🌍');
  assert.equal((await off.executionOf(received)).statusCode, 404);
});

/** Who the chat ran for, and in which conversation. */
const ABOUT = { threadId: 't 1', userId: 'ada', tags: ['vip', 'beta'] };

test('POST /chat: thread, user and tags are on the execution and its event', async (t) => {
  const app = await chatApp(t);
  const received = await chat(app, app.ask({ ...ABOUT, tags: ['vip', 'beta', 'vip'] }));
  const { threadId, userId, tags, source } = await app.executionOf(received);
  assert.deepEqual({ threadId, userId, tags, source }, { ...ABOUT, source: 'chat' });
  const [event] = await chatEvents(app, 'runtime.chat_completed', 1);
  assert.deepEqual([event.threadId, event.userId], ['t 1', 'ada']);
  const listed = async (query: string) => (await app.request('GET', `${EXECUTIONS}?${query}`)).body.executions.length;
  assert.deepEqual([await listed('userId=ada&tag=beta'), await listed('userId=bob')], [1, 0]);
  const thread = (await app.request('GET', `${EXECUTIONS.replace('executions', 'threads')}/t%201`)).body;
  assert.deepEqual(
    thread.items.map(({ type }: { type: string }) => type),
    ['execution'],
  );
});

test('POST /chat: thread, user and tags are kept without messages', async (t) => {
  const app = await chatApp(t, { chatRecording: 'metadata' });
  app.upstream.script({ fault: { type: 'status', status: 400 } }, {});
  for (const status of ['failed', 'completed']) {
    const execution = await app.executionOf(await chat(app, app.ask(ABOUT)));
    const { threadId, userId, tags } = execution;
    assert.deepEqual([execution.status, { threadId, userId, tags }], [status, ABOUT]);
    assert.deepEqual([execution.messages, execution.output], [[], null]);
  }
  const [failed] = await chatEvents(app, 'runtime.chat_failed', 1);
  assert.deepEqual([failed.threadId, failed.userId], ['t 1', 'ada']);
  const bare = await app.executionOf(await chat(app, app.ask({ threadId: null, tags: [] })));
  assert.deepEqual([bare.threadId, bare.userId, bare.tags], [null, null, []]);
});

test('POST /chat: a thread, user or tag that cannot be stored is named with 400', async (t) => {
  const app = await chatApp(t);
  for (const [member, value] of [
    ['threadId', 'x'.repeat(201)],
    ['userId', 'a\0b'],
    ['tags', Array.from({ length: 51 }, (_, index) => `${index}`)],
  ] as const) {
    const { status, text } = await chat(app, app.ask({ [member]: value }));
    assert.equal(status, 400);
    assert.match(text, new RegExp(member));
  }
});
