import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { EVENTS } from '../../../support/app.ts';
import { type ChatApp, chat, chatApp, eventsOf } from '../../../support/chat.ts';
import { eventually } from '../../../support/process.ts';
import { type FakeUpstream, fakeUpstream } from '../../../support/upstream/server.ts';

/** A server whose `local` falls back on `other`, each with an upstream of its own. */
async function withFallback(t: TestContext, definition: object = {}, settings = {}): Promise<[ChatApp, FakeUpstream]> {
  const app = await chatApp(t, settings);
  const other = await fakeUpstream(t);
  const [local] = await app.runtime.providers.list(app.tenantId);
  await app.runtime.providers.apply(app.tenantId, [
    {
      name: 'other',
      provider: 'groq',
      baseUrl: other.baseUrl('groq'),
      apiKey: 'gsk-other',
      allowPrivateNetwork: true,
    },
    {
      name: 'local',
      provider: 'custom',
      baseUrl: local!.baseUrl,
      allowPrivateNetwork: true,
      fallbacks: [{ providerName: 'other', provider: 'groq', model: 'llama-3.3-70b-versatile' }],
      ...definition,
    },
  ]);
  return [app, other];
}

test('fallbacks: a failing provider is followed by its fallback, which is named', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 503 } });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 200);
  assert.equal(received.text, 'Olá mundo 🌍');
  assert.equal(received.headers['x-provider'], 'groq');
  assert.equal(received.headers['x-model'], 'llama-3.3-70b-versatile');
  assert.equal(app.upstream.requests.length, 3);
  assert.equal(other.requests.length, 1);
  const execution = await app.executionOf(received);
  assert.deepEqual([execution.provider, execution.model], ['groq', 'llama-3.3-70b-versatile']);
  assert.equal(execution.chat.providerName, 'other');
  assert.equal(execution.chat.fallback, true);
  assert.equal(execution.chat.attempts, 4);
});

test('fallbacks: an invalid key or a long wait falls back without a retry', async (t) => {
  const [app, other] = await withFallback(t);
  for (const fault of [
    { type: 'status', status: 401 },
    { type: 'status', status: 429, retry: { seconds: 60 } },
  ] as const) {
    app.upstream.requests.length = 0;
    other.requests.length = 0;
    app.upstream.script({ fault });
    assert.equal((await chat(app, app.ask())).status, 200);
    assert.deepEqual([app.upstream.requests.length, other.requests.length], [1, 1]);
  }
});

test('fallbacks: a refused request is not sent to another provider', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 400 } });
  assert.equal((await chat(app, app.ask())).status, 400);
  assert.equal(other.requests.length, 0);
});

test('fallbacks: a provider that times out is followed by its fallback', async (t) => {
  const [app, other] = await withFallback(t, { timeout: 0.2 });
  app.upstream.script({ fault: { type: 'hang', after: 0 } });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 200);
  assert.equal(other.requests.length, 1);
  await app.upstream.whenAborted();
});

test('fallbacks: nothing is retried after the first content', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ pieces: [{ type: 'text', text: 'half' }, { type: 'hold' }], fault: { type: 'cut', after: 2 } });
  const received = await chat(app, app.ask(), { onData: () => app.upstream.release() });
  assert.equal(received.complete, false);
  assert.equal(other.requests.length, 0);
});

test('fallbacks: one that does not support the request is skipped', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  const received = await chat(app, app.ask({ presencePenalty: 1 }), { accept: 'text/event-stream' });
  const [warning] = eventsOf(received.text);
  assert.deepEqual(warning!.data.droppedParams, ['presencePenalty']);
  assert.ok(!('presence_penalty' in other.requests[0]!.body));
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } };
  const refused = await chat(app, app.ask({ messages: [{ role: 'user', content: [file] }] }));
  assert.equal(refused.status, 502);
  assert.equal(other.requests.length, 1);
});

test('fallbacks: one that refuses the request is skipped, the first error is reported', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  other.script({ fault: { type: 'status', status: 404 } });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 502);
  assert.match(JSON.parse(received.text).message, /^"local" \(custom\) does not accept the key/);
  const { provider, chat: facts } = await app.executionOf(received);
  assert.deepEqual([provider, facts.providerName, facts.attempts, facts.fallback], ['custom', 'local', 2, false]);
  assert.equal(facts.error.status, 401);
});

test('fallbacks: one has its own defaults, which strict does not refuse', async (t) => {
  const defaults = { presencePenalty: 1, instructions: 'Be brief.' };
  const [app, other] = await withFallback(t, { defaults });
  const [, definition] = (await app.runtime.providers.list(app.tenantId)).map(
    ({ createdAt, updatedAt, ...one }) => one,
  );
  await app.runtime.providers.apply(app.tenantId, {
    ...definition,
    apiKey: 'gsk-other',
    strict: true,
    defaults: { instructions: 'Be long.', temperature: 0.3 },
  });
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 200);
  assert.equal(received.headers['x-dropped-params'], 'presencePenalty');
  const { body } = other.requests[0]!;
  assert.deepEqual([body.temperature, body.messages[0].content], [0.3, 'Be brief.']);
  assert.equal((await chat(app, app.ask({ presencePenalty: 2 }))).status, 502);
});

test('fallbacks: the defaults of the answering fallback are recorded', async (t) => {
  const [app, other] = await withFallback(t);
  await app.runtime.providers.apply(app.tenantId, {
    ...{ name: 'other', provider: 'groq', apiKey: 'gsk-other', allowPrivateNetwork: true },
    ...{ baseUrl: other.baseUrl('groq'), defaults: { instructions: 'Be long.' } },
  });
  app.upstream.script({ fault: { type: 'status', status: 401 } }, {});
  const [fallen, first] = [await chat(app, app.ask()), await chat(app, app.ask())];
  assert.equal(fallen.status, 200);
  const said = { role: 'user', content: 'Say hello.' };
  assert.deepEqual((await app.executionOf(fallen)).messages, [{ role: 'system', content: 'Be long.' }, said]);
  assert.deepEqual((await app.executionOf(first)).messages, [said]);
});

test('fallbacks: if all fail, the last failure is reported', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  other.script({ fault: { type: 'status', status: 429, retry: { seconds: 30 } } });
  const received = await chat(app, app.ask());
  assert.equal(received.status, 429);
  assert.equal(received.headers['retry-after'], '30');
  const execution = await app.executionOf(received);
  assert.equal(execution.status, 'failed');
  assert.equal(execution.chat.providerName, 'other');
});

test('fallbacks: a cancelled chat is recorded with its last provider and attempt', async (t) => {
  const [app, other] = await withFallback(t);
  app.upstream.script({ fault: { type: 'status', status: 401 } });
  other.script({ fault: { type: 'hangBeforeHeaders' } });
  const leaving = new AbortController();
  const left = chat(app, app.ask(), { signal: leaving.signal });
  await other.whenRequested();
  leaving.abort();
  await assert.rejects(left);
  const { found } = await eventually(
    'the event of the chat',
    async () => {
      await app.runtime.eventStore.settle();
      const query = { eventName: 'runtime.chat_failed' };
      const { body } = await app.request('POST', `${EVENTS}/query`, query);
      return body.rows[0];
    },
    5_000,
  );
  const { status, provider, providerName, attempts, fallback } = found;
  assert.deepEqual(
    { status, provider, providerName, attempts, fallback },
    { status: 'cancelled', provider: 'groq', providerName: 'other', attempts: 2, fallback: true },
  );
});

test('fallbacks: a member dropped by the adapter is named, or refused if required', async (t) => {
  const [app] = await withFallback(t);
  const claude = await fakeUpstream(t);
  const definition = { provider: 'anthropic', baseUrl: claude.baseUrl('anthropic'), apiKey: 'sk-ant-1234' };
  await app.runtime.providers.apply(app.tenantId, [
    { name: 'claude', ...definition, allowPrivateNetwork: true },
    { name: 'strict', ...definition, allowPrivateNetwork: true, strict: true },
  ]);
  const body = app.ask({ provider: 'anthropic', model: 'claude-sonnet-4-5', temperature: 0.5, topP: 0.9 });
  const received = await chat(app, { ...body, providerName: 'claude' });
  assert.equal(received.headers['x-dropped-params'], 'topP');
  assert.deepEqual((await app.executionOf(received)).chat.droppedParams, ['topP']);
  const refused = await chat(app, { ...body, providerName: 'strict' });
  assert.equal(refused.status, 400);
  assert.match(JSON.parse(refused.text).message[0], /^topP: is left out/);
  assert.equal(claude.requests.length, 1);
});
