import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { sendStream } from '../../src/http/stream.ts';

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
