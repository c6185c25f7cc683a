import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { type TestApp, testApp } from '../../support/app.ts';
import { chat, EXECUTIONS, eventsOf } from '../../support/chat.ts';

/* The protocols as implemented by aimock, through the whole server. */

const OFFERS = [
  { provider: 'anthropic', model: 'claude-sonnet-4-5', definition: {} },
  { provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-v1:0', definition: { region: 'us-east-1' } },
];
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } }];
const USAGE = { input_tokens: 11, output_tokens: 7 };

async function start(t: TestContext): Promise<{ mock: LLMock; app: TestApp }> {
  const mock = new LLMock({ port: 0 });
  mock.onMessage('hello', { content: 'Olá mundo 🌍', usage: USAGE });
  mock.onMessage('think', { content: 'Four.', reasoning: 'Two and two.' });
  mock.on(
    { userMessage: 'weather', hasToolResult: false },
    { toolCalls: [{ name: 'weather', arguments: '{"city":"Rio"}' }] },
  );
  mock.on({ userMessage: 'weather', hasToolResult: true }, { content: 'It is hot.' });
  mock.onMessage('secret', { error: { message: 'invalid x-api-key', type: 'authentication_error' }, status: 401 });
  await mock.start();
  t.after(() => mock.stop());
  const app = await testApp(t);
  for (const { provider, definition } of OFFERS) {
    const shared = { baseUrl: mock.url, apiKey: 'sk-mock-0123456789', allowPrivateNetwork: true };
    await app.runtime.providers.apply(app.tenantId, { name: provider, provider, ...shared, ...definition });
  }
  return { mock, app };
}

test('aimock: Claude answers through Anthropic and through Bedrock', async (t) => {
  const { app } = await start(t);
  for (const { provider, model } of OFFERS) {
    const ask = async (content: unknown, members: object = {}) => {
      const messages = Array.isArray(content) ? content : [{ role: 'user', content }];
      const body = { projectId: 'tests', provider, providerName: provider, model, messages, ...members };
      return chat(app, body, { accept: 'text/event-stream' });
    };
    const told = async (content: unknown, members: object = {}) => {
      const { status, complete, text } = await ask(content, members);
      assert.deepEqual({ status, complete }, { status: 200, complete: true }, text);
      return eventsOf(text);
    };

    const hello = await ask('hello');
    const words = eventsOf(hello.text)
      .filter(({ event }) => event === 'text')
      .map(({ data }) => data.text);
    assert.equal(words.join(''), 'Olá mundo 🌍', provider);
    const { body: execution } = await app.request('GET', `${EXECUTIONS}/${hello.headers['x-execution-id']}`);
    assert.equal(execution.status, 'completed');

    const thoughts = await told('think', { thinking: { type: 'enabled', budgetTokens: 1_024 } });
    assert.deepEqual(
      ['reasoning', 'text'].map((name) =>
        thoughts
          .filter(({ event }) => event === name)
          .map(({ data }) => data.text)
          .join(''),
      ),
      ['Two and two.', 'Four.'],
      provider,
    );

    const called = await told('weather', { tools: TOOLS });
    const { data: call } = called.find(({ event }) => event === 'tool_call')!;
    assert.deepEqual(call.function, { name: 'weather', arguments: '{"city":"Rio"}' }, provider);
    assert.equal(called.at(-1)!.data.finishReason, 'tool_calls');
    const answered = await told(
      [
        { role: 'user', content: 'weather' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: '31 degrees' },
      ],
      { tools: TOOLS },
    );
    assert.equal(
      answered
        .filter(({ event }) => event === 'text')
        .map(({ data }) => data.text)
        .join(''),
      'It is hot.',
    );

    assert.equal((await ask('secret')).status, 502, provider);
  }
});

test('aimock: usage is that of the protocol', async (t) => {
  const { app } = await start(t);
  const { provider, model } = OFFERS[0]!;
  const messages = [{ role: 'user', content: 'hello' }];
  const { text } = await chat(
    app,
    { projectId: 'tests', provider, providerName: provider, model, messages },
    { accept: 'text/event-stream' },
  );
  const { data } = eventsOf(text).find(({ event }) => event === 'usage')!;
  assert.deepEqual(data, { inputTokens: 11, outputTokens: 7 });
});
