import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CHAT, type ChatApp, chat, chatApp, EXECUTIONS } from '../../../support/chat.ts';
import { chatEvents } from '../../../support/chat-events.ts';
import { rareTest } from '../../../support/rare.ts';
import type { Outcome } from '../../../support/upstream/outcomes.ts';

/*
 * Clients that disconnect. `t.diagnostic` shows how soon the upstream request ends: a few ms of the
 * 250 allowed. The tests assert that it ends at all; each has a timeout.
 */

/** Disconnects of an endless answer. */
const ROUNDS = 6;
const timeout = 60_000;
/** One slot: the next client shows that it was freed. */
const ONE_AT_A_TIME = { chatStreams: 1, rateLimit: 0 };

/** What is recorded of the only chat that failed so far. */
async function recordOf(app: ChatApp) {
  const [event] = await chatEvents(app, 'runtime.chat_failed', 1);
  const { body: execution } = await app.request('GET', `${EXECUTIONS}/${event!.executionId}`);
  return { event: event!, execution };
}

async function assertNextIsServed(app: ChatApp): Promise<void> {
  app.upstream.script({});
  const { status, complete } = await chat(app, app.ask());
  assert.deepEqual([status, complete], [200, true]);
}

const BEFORE: Record<string, Outcome> = {
  'before any answer': { fault: { type: 'hangBeforeHeaders' } },
  'after the headers': { fault: { type: 'hang', after: 'headers' } },
  'after an opening without content': { fault: { type: 'hang', after: 0 } },
};

for (const [accept, define] of [
  ['text/plain', rareTest],
  ['text/event-stream', test],
] as const) {
  for (const [when, outcome] of Object.entries(BEFORE)) {
    define(`POST /chat, ${accept}: a client that leaves ${when} is not waited for`, { timeout }, async (t) => {
      const app = await chatApp(t, ONE_AT_A_TIME);
      app.upstream.script(outcome);
      const leaving = new AbortController();
      const received = chat(app, app.ask(), { accept, signal: leaving.signal });
      await app.upstream.whenRequested();
      leaving.abort();
      await assert.rejects(received, { name: 'AbortError' });
      await app.upstream.whenAborted();
      const { event, execution } = await recordOf(app);
      assert.deepEqual([execution.status, execution.output, execution.usage], ['cancelled', null, null]);
      assert.deepEqual([event.status, event.error], ['cancelled', undefined]);
      await assertNextIsServed(app);
    });
  }

  define(
    `POST /chat, ${accept}: a disconnect after a byte is recorded`,
    {
      timeout,
    },
    async (t) => {
      const app = await chatApp(t, ONE_AT_A_TIME);
      app.upstream.script({ pieces: [{ type: 'text', text: 'Once upon a time' }, { type: 'hold' }] });
      const received = await chat(app, app.ask(), { accept, onData: (_text, leave) => leave() });
      await app.upstream.whenAborted();
      assert.equal(received.complete, false);
      const { event, execution } = await recordOf(app);
      assert.equal(execution.id, received.headers['x-execution-id']);
      assert.deepEqual([execution.status, execution.output], ['cancelled', 'Once upon a time']);
      // Ten characters of the request, sixteen of the answer, estimated.
      assert.deepEqual(execution.usage, { inputTokens: 3, outputTokens: 4, estimated: true });
      assert.deepEqual([event.status, event.outputTokens, event.estimated], ['cancelled', 4, true]);
      await assertNextIsServed(app);
    },
  );

  define(`POST /chat, ${accept}: a disconnect ends an endless answer`, { timeout }, async (t) => {
    const app = await chatApp(t, ONE_AT_A_TIME);
    app.upstream.script({ fault: { type: 'endless' } });
    const passed: number[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      let read = 0;
      let left = 0;
      await chat(app, app.ask(), {
        accept,
        onData: (text, leave) => {
          read += text.length;
          if (read < 1_000_000 || left > 0) return;
          left = performance.now();
          leave();
        },
      });
      await app.upstream.whenAborted(round);
      passed.push(performance.now() - left);
    }
    passed.sort((one, other) => one - other);
    t.diagnostic(
      `the upstream was left after ${passed[ROUNDS / 2]!.toFixed(1)} ms, at most ${passed.at(-1)!.toFixed(1)} ms`,
    );
    assert.equal(app.upstream.open, 0);
    const events = await chatEvents(app, 'runtime.chat_failed', ROUNDS);
    for (const { status, outputTokens } of events) {
      assert.equal(status, 'cancelled');
      assert.ok(outputTokens >= 200_000, `${outputTokens} tokens`);
    }
    await assertNextIsServed(app);
  });
}

rareTest(
  'POST /chat: a disconnect of a client that reads nothing is noticed',
  {
    timeout,
  },
  async (t) => {
    const app = await chatApp(t, ONE_AT_A_TIME);
    app.upstream.script({ fault: { type: 'endless' } });
    const { outgoing, response } = await openChat(app);
    await standsStill(() => app.upstream.bytesSent);
    outgoing.destroy();
    await app.upstream.whenAborted();
    const { execution } = await recordOf(app);
    assert.equal(execution.id, response.headers['x-execution-id']);
    assert.equal(execution.status, 'cancelled');
    await assertNextIsServed(app);
  },
);

test('POST /chat: a disconnect between two attempts ends them', { timeout }, async (t) => {
  const app = await chatApp(t, ONE_AT_A_TIME);
  app.upstream.script({ fault: { type: 'status', status: 503, retry: { seconds: 2 } } });
  const leaving = new AbortController();
  const received = chat(app, app.ask(), { signal: leaving.signal });
  await app.upstream.whenRequested();
  leaving.abort();
  await assert.rejects(received, { name: 'AbortError' });
  const { event, execution } = await recordOf(app);
  assert.deepEqual([execution.status, event.status], ['cancelled', 'cancelled']);
  await sleep(3_000);
  assert.equal(app.upstream.requests.length, 1, 'nothing is asked for whoever has left');
  await assertNextIsServed(app);
});

test('POST /chat: a disconnect prevents the fallback', { timeout }, async (t) => {
  const fallbacks = [{ provider: 'custom', providerName: 'other', model: 'second' }];
  const app = await chatApp(t, ONE_AT_A_TIME);
  const { providers } = app.runtime;
  const definition = (name: string, members: object) => ({
    ...{ name, provider: 'custom', baseUrl: app.upstream.baseUrl('custom'), allowPrivateNetwork: true },
    ...members,
  });
  await providers.apply(app.tenantId, [definition('other', {}), definition('local', { fallbacks })]);
  app.upstream.script({ fault: { type: 'hangBeforeHeaders' } });
  const leaving = new AbortController();
  const received = chat(app, app.ask(), { signal: leaving.signal });
  await app.upstream.whenRequested();
  leaving.abort();
  await assert.rejects(received, { name: 'AbortError' });
  await app.upstream.whenAborted();
  const { execution } = await recordOf(app);
  assert.deepEqual([execution.status, execution.model], ['cancelled', 'llama3.2']);
  assert.equal(app.upstream.requests.length, 1);
  await assertNextIsServed(app);
});

test('POST /chat: an answer cut at a stop sequence is whole and ends the request', {
  timeout,
}, async (t) => {
  const app = await chatApp(t, ONE_AT_A_TIME, { capabilities: { stop: 0 } });
  for (const [index, accept] of ['text/plain', 'text/event-stream'].entries()) {
    app.upstream.script({
      pieces: [{ type: 'text', text: 'one two EN' }, { type: 'text', text: 'D three' }, { type: 'hold' }],
    });
    const received = await chat(app, app.ask({ stop: ['END'] }), { accept });
    await app.upstream.whenAborted(index + 1);
    assert.equal(received.complete, true);
    const execution = await app.executionOf(received);
    assert.deepEqual([execution.status, execution.output], ['completed', 'one two ']);
    assert.deepEqual([execution.chat.finishReason, execution.usage.estimated], ['stop', true]);
  }
  await assertNextIsServed(app);
});

test('POST /chat: a disconnect while an image loads ends both', { timeout }, async (t) => {
  const app = await chatApp(t, ONE_AT_A_TIME, { allowPrivateImages: true });
  const { url, asked, left } = await hangingServer(t);
  const content = [{ type: 'image_url', image_url: { url } }];
  const leaving = new AbortController();
  const received = chat(app, app.ask({ messages: [{ role: 'user', content }] }), { signal: leaving.signal });
  await asked;
  leaving.abort();
  await assert.rejects(received, { name: 'AbortError' });
  await left;
  assert.equal(app.upstream.requests.length, 0);
  await assertNextIsServed(app);
});

test('POST /chat: a disconnect within the request body sends nothing', { timeout }, async (t) => {
  const app = await chatApp(t, ONE_AT_A_TIME);
  const body = JSON.stringify(app.ask());
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json', 'content-length': body.length };
  const outgoing = request(`${app.url}${CHAT}`, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => undefined);
  await new Promise((resolve) => outgoing.write(body.slice(0, -1), resolve));
  outgoing.destroy();
  await assertNextIsServed(app);
  assert.equal(app.upstream.requests.length, 1);
});

/** A chat whose head has arrived and whose body is unread. */
async function openChat(app: ChatApp) {
  const headers = { 'x-api-key': app.key, 'content-type': 'application/json' };
  const outgoing = request(`${app.url}${CHAT}`, { method: 'POST', headers, agent: false });
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify(app.ask()));
  const [response] = await once(outgoing, 'response');
  response.on('error', () => undefined);
  return { outgoing, response };
}

/** Resolves when a number has not changed for a while. */
async function standsStill(number: () => number): Promise<void> {
  for (let before = -1; before !== number(); await sleep(300)) before = number();
}

async function hangingServer(t: TestContext) {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const asked = once(server, 'request');
  const left = asked.then(([incoming]) => once(incoming.socket, 'close'));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cat.png`, asked, left };
}
