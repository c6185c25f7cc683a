import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { chatRequestSchema } from '../../../../src/core/agents/chat/schema.ts';
import { plainTextStream } from '../../../../src/http/chat-stream.ts';
import { sendStream } from '../../../../src/http/stream.ts';
import { CHAT, type ChatApp, chat, chatApp } from '../../../support/chat.ts';
import { chatEvents } from '../../../support/chat-events.ts';
import { collected } from '../../../support/memory.ts';
import { rareTest } from '../../../support/rare.ts';

const READERS = 20;
const MEGABYTE = 1024 * 1024;

rareTest(
  'POST /chat: clients that do not read pause their upstreams and no others',
  {
    timeout: 60_000,
  },
  async (t) => {
    // The record of an answer grows up to 4 MB; unread bytes must not.
    const app = await chatApp(t, { rateLimit: 0, chatRecording: 'metadata' });
    app.upstream.script({ fault: { type: 'endless' } });
    const before = collected();
    const readers = await Promise.all(
      Array.from({ length: READERS }, (_, index) => {
        const accept = index % 2 === 0 ? 'text/plain' : 'text/event-stream';
        return stalledReader(t, `${app.url}${CHAT}`, { 'x-api-key': app.key, accept }, app.ask());
      }),
    );
    const sent = await standingStill(() => app.upstream.bytesSent);
    const stalled = collected();
    await sleep(2_000);
    const grown = collected() - stalled;
    assert.equal(app.upstream.bytesSent, sent, 'nothing more is taken from an upstream for whom takes nothing');
    assert.equal(app.upstream.open, READERS);
    t.diagnostic(
      `${READERS} readers: ${megabytes(sent)} MB were sent, ${megabytes(stalled - before)} MB are held, ` +
        `${megabytes(grown)} MB more two seconds later`,
    );
    assert.ok(sent < READERS * 40 * MEGABYTE, 'no more than sockets hold');
    assert.ok(stalled - before < READERS * 4 * MEGABYTE);
    assert.ok(grown < READERS * MEGABYTE);

    app.upstream.script({});
    const { status, complete } = await chat(app, app.ask());
    assert.deepEqual([status, complete], [200, true]);

    for (const reader of readers) reader.destroy();
    await app.upstream.whenAborted(READERS);
    const events = await chatEvents(app, 'runtime.chat_failed', READERS);
    assert.deepEqual(new Set(events.map((event) => event.status)), new Set(['cancelled']));
  },
);

test('POST /chat: a client that does not read for too long is disconnected', { timeout: 20_000 }, async (t) => {
  const app = await chatApp(t);
  app.upstream.script({ fault: { type: 'endless' } });
  const url = await serverWithStallLimit(t, app);
  const reader = await stalledReader(t, url, {}, {});
  await app.upstream.whenAborted();
  const [event] = await chatEvents(app, 'runtime.chat_failed', 1);
  assert.equal(event.status, 'cancelled');
  assert.equal(event.estimated, true);
  reader.destroy();
});

/** A chat whose client reads the first part of its answer and then stops. */
async function stalledReader(
  t: TestContext,
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<ClientRequest> {
  const all = { 'content-type': 'application/json', ...headers };
  const outgoing = request(url, { method: 'POST', headers: all, agent: false });
  outgoing.on('error', () => undefined);
  t.after(() => outgoing.destroy());
  outgoing.end(JSON.stringify(body));
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  await once(response, 'data');
  response.pause();
  return outgoing;
}

/** Streams an answer as the route does; a client that reads nothing for 300 ms is disconnected. */
async function serverWithStallLimit(t: TestContext, app: ChatApp): Promise<string> {
  const server = express();
  server.post('/', async (_request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const run = await app.runtime.chat.begin(app.caller, chatRequestSchema.parse(app.ask()), left.signal);
    const { chunks } = await plainTextStream(await run.answer());
    const stream = { contentType: 'text/plain', chunks };
    await sendStream(() => response.status(200), stream, left.signal, 300).catch(() => undefined);
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.after(() => listener.close());
  return `http://127.0.0.1:${(listener.address() as AddressInfo).port}/`;
}

/** A number once it has not changed for a while. */
async function standingStill(number: () => number): Promise<number> {
  for (let before = -1; before !== number(); await sleep(500)) before = number();
  return number();
}

function megabytes(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(1);
}
