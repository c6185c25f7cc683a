import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { liftBodyTimeLimit, limitBodyTime } from '../../src/http/deadline.ts';
import { sendStream } from '../../src/http/stream.ts';
import { connected, listening } from './body/upload-support.ts';

const MEGABYTE = 1024 * 1024;

interface Sent {
  parts: number;
  /** Of each part, in megabytes. */
  size?: number;
  stalledMs: number;
}

/** A server that streams the parts, and the response head; the body waits for a reader. */
async function begun(t: TestContext, { parts, size = 1, stalledMs }: Sent) {
  const app = express();
  let end: (sent: number) => void;
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  async function* chunks() {
    let sent = 0;
    try {
      for (; sent < parts; sent++) yield 'x'.repeat(size * MEGABYTE);
    } finally {
      end(sent);
    }
  }
  app.get('/', async (_request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const stream = { contentType: 'text/plain', chunks: chunks() };
    await sendStream(() => response.status(200), stream, left.signal, stalledMs);
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const request = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { response, ended };
}

test('sendStream: a client that stops reading is disconnected and the source ends', {
  timeout: 20_000,
}, async (t) => {
  const { response, ended } = await begun(t, { parts: 1_000, stalledMs: 200 });
  assert.ok((await ended) < 500);
  await assert.rejects(async () => {
    for await (const _ of response);
  }, /aborted/);
  assert.equal(response.complete, false);
});

for (const [what, sent] of [
  ['everything', { parts: 60, stalledMs: 1_500 }],
  ['a large chunk', { parts: 1, size: 60, stalledMs: 1_500 }],
] as const) {
  test(`sendStream: a client that reads slowly gets ${what}, whatever that takes`, async (t) => {
    const { response, ended } = await begun(t, sent);
    let bytes = 0;
    let rests = 0;
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > (rests + 1) * 3 * MEGABYTE) {
        rests += 1;
        await sleep(100);
      }
    }
    assert.deepEqual([response.complete, bytes, await ended], [true, 60 * MEGABYTE, sent.parts]);
    assert.ok(rests > 15);
  });
}

const LATE_MS = 200;

test('limitBodyTime: a late body ends its connection unless the limit is lifted', async (t) => {
  const app = express();
  app.use(limitBodyTime(LATE_MS));
  app.post('/files', (request, response) => {
    if (request.get('x-exempt')) liftBodyTimeLimit(response);
    request.resume().once('end', () => response.json('read'));
  });
  const { port } = await listening(t, app);
  const send = async (headers: string) => {
    const client = await connected(t, port);
    client.socket.write(`POST /files HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n${headers}\r\n1`);
    return client;
  };
  const [late, exempt] = [await send(''), await send('x-exempt: 1\r\n')];
  await late.closed;
  await sleep(LATE_MS);
  exempt.socket.end('2');
  await exempt.closed;
  assert.deepEqual([late.status(), exempt.status()], [0, 200]);
});

test('limitBodyTime: a response may take any time once its request is complete', async (t) => {
  const app = express();
  app.use(limitBodyTime(LATE_MS), express.text());
  app.post('/', async (_request, response) => {
    await sleep(2 * LATE_MS);
    response.json('made');
  });
  const { port } = await listening(t, app);
  for (const body of ['x', undefined]) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...(body ? { body } : {}) });
    assert.equal(await response.json(), 'made');
  }
});
