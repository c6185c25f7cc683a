import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import {
  AgentRuntimeError,
  type ChatEvent,
  type ChatOptions,
  createClient,
  type Schemas,
} from '../../clients/typescript/src/index.ts';
import { type ChatApp, chatApp } from '../support/chat.ts';

function chatOf(app: ChatApp, members: object = {}, options?: ChatOptions) {
  const client = createClient({ baseUrl: app.url, apiKey: app.key });
  return client.chat(app.ask(members) as Schemas['ChatRequest'], options);
}

/** Reads texts into `texts`, and resolves with the error that ends the answer. */
async function failureOf(answer: AsyncIterable<ChatEvent>, texts: string[]): Promise<unknown> {
  try {
    for await (const event of answer) if (event.type === 'text') texts.push(event.text);
  } catch (error) {
    return error;
  }
  return assert.fail('the answer ended well');
}

/** A server that sends this to everyone, and ends the response. */
async function serverSaying(t: TestContext, text: string): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/event-stream').end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('client.chat: names the execution before the first event, and of an error, too', async (t) => {
  const app = await chatApp(t);
  const told: string[] = [];
  const onExecution = (id: string) => told.push(id);
  const events = await Array.fromAsync(chatOf(app, {}, { onExecution }));
  const done = events.at(-1);
  assert.ok(done?.type === 'done');
  assert.deepEqual(told, [done.executionId]);
  app.upstream.script({ fault: { type: 'status', status: 400, message: 'No such model.' } });
  const error = await failureOf(chatOf(app, {}, { onExecution }), []);
  assert.ok(error instanceof AgentRuntimeError && error.status === 400);
  assert.equal((await app.executionOf({ headers: { 'x-execution-id': told[1] } })).status, 'failed');
});

test('client.chat: yields texts, calls, usage and the end', async (t) => {
  const app = await chatApp(t, {}, { capabilities: { seed: false } });
  app.upstream.script({
    pieces: [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Olá' },
      { type: 'text', text: ' 🌍' },
      { type: 'toolCall', id: 'call_1', name: 'find_order', arguments: '{"order":42}' },
    ],
    finish: 'tool_calls',
    usage: { inputTokens: 12, outputTokens: 5 },
  });
  const events = await Array.fromAsync(chatOf(app, { seed: 7 }));
  const { executionId, ...done } = events.pop() as ChatEvent & { type: 'done' };
  assert.deepEqual(done, {
    ...{ type: 'done', finishReason: 'tool_calls' },
    ...{ provider: 'custom', providerName: 'local', model: 'llama3.2' },
  });
  assert.equal((await app.executionOf({ headers: { 'x-execution-id': executionId } })).status, 'completed');
  const [warning, ...rest] = events;
  assert.ok(warning?.type === 'warning' && warning.message.includes('seed'));
  assert.deepEqual(warning.droppedParams, ['seed']);
  assert.deepEqual(rest, [
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Olá' },
    { type: 'text', text: ' 🌍' },
    {
      type: 'tool_call',
      call: {
        ...{ id: 'call_1', type: 'function', function: { name: 'find_order', arguments: '{"order":42}' } },
        extra_content: { chat_completions: { reasoning_content: 'Hm.' } },
      },
    },
    { type: 'usage', usage: { inputTokens: 12, outputTokens: 5 } },
  ]);
});

test('client.chat: sends nothing before the first iteration', async (t) => {
  const app = await chatApp(t);
  const answer = chatOf(app);
  assert.equal(app.upstream.requests.length, 0);
  await answer.next();
  assert.equal(app.upstream.requests.length, 1);
});

test('client.chat: leaving the loop ends the request', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'one' }, { type: 'hold' }, { type: 'text', text: 'two' }] });
  for await (const event of chatOf(app)) {
    assert.deepEqual(event, { type: 'text', text: 'one' });
    break;
  }
  await app.upstream.whenAborted();
});

test('client.chat: a signal ends the request with its reason, early and late', async (t) => {
  const app = await chatApp(t);
  const reason = new Error('the user left');
  await assert.rejects(chatOf(app, {}, { signal: AbortSignal.abort(reason) }).next(), reason);
  assert.equal(app.upstream.requests.length, 0);

  app.upstream.script({ pieces: [{ type: 'text', text: 'one' }, { type: 'hold' }] });
  const leaving = new AbortController();
  const answer = chatOf(app, {}, { signal: leaving.signal });
  await answer.next();
  leaving.abort(reason);
  await assert.rejects(answer.next(), reason);
  await app.upstream.whenAborted();
});

test('client.chat: a refused request throws before the first event', async (t) => {
  const app = await chatApp(t);
  const error = await failureOf(chatOf(app, { temperature: 3 }), []);
  assert.ok(error instanceof AgentRuntimeError);
  assert.deepEqual([error.code, error.status, error.messages], ['invalid', 400, ['temperature: must be at most 2']]);
});

test('client.chat: a failure after the first text throws, with the texts before it', async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'half' }, { type: 'hold' }], fault: { type: 'cut', after: 2 } });
  const texts: string[] = [];
  const failure = failureOf(chatOf(app), texts);
  app.upstream.release();
  const error = await failure;
  assert.deepEqual(texts, ['half']);
  assert.ok(error instanceof AgentRuntimeError);
  assert.deepEqual([error.code, error.status], ['upstream', 502]);
  const { requestId } = error.body as Schemas['Error'];
  assert.ok(requestId);
  assert.equal(error.requestId, requestId);
});

test('client.chat: an answer that ends before it is done throws', async (t) => {
  const baseUrl = await serverSaying(t, 'event: text\ndata: {"text":"half"}\n\n: comment\n\nevent: new\ndata: {}\n\n');
  const client = createClient({ baseUrl, apiKey: 'ar_KEY' });
  const texts: string[] = [];
  const request = {
    projectId: 'p',
    provider: 'openai',
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
  } as const;
  const error = await failureOf(client.chat(request as unknown as Schemas['ChatRequest']), texts);
  assert.deepEqual(texts, ['half']);
  assert.ok(error instanceof AgentRuntimeError);
  assert.deepEqual([error.code, error.status], ['connection', 0]);
});
