import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import type { UploadStore } from '../../../src/core/knowledge/uploads.ts';
import { MIN_PROGRESS_BYTES, readForm } from '../../../src/http/body/form.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { FakeClock } from '../../support/clock.ts';
import { eventually } from '../../support/process.ts';
import {
  connected,
  END,
  form,
  head,
  listening,
  MEGABYTE,
  PATH,
  part,
  post,
  STORE,
  serverWithStallLimit,
  uploadRoute,
  uploadServer,
} from './upload-support.ts';

const FILE = part('file', Buffer.alloc(200_000, 'x'), 'a.txt');
const WHOLE = form(STORE, FILE);
/** All but the end. */
const BEGUN = WHOLE.subarray(0, 150_000);
const STALL_MS = 30_000;

test('upload: a client that disconnects leaves no file and frees its slot', async (t) => {
  const { port, url, files } = await uploadServer(t);
  for (const sent of [0, 10, 100, STORE.length + 150, 70_000, 150_000, WHOLE.length - 1]) {
    const { socket, closed } = await connected(t, port);
    socket.write(head(WHOLE.length));
    socket.write(WHOLE.subarray(0, sent));
    if (sent > 1_000) await eventually('it is coming', async () => files().length > 0, 2_000);
    else await sleep(20);
    socket.destroy();
    await closed;
    await eventually(`nothing is left of ${sent} bytes`, async () => files().length === 0, 2_000);
  }
  assert.equal((await post(url, WHOLE)).status, 202);
});

test('upload: a complete body waits for the disk, and is refused once its client left', async (t) => {
  const timers = new FakeClock();
  // More than the form buffers, no more than the request does beside it, while the disk takes nothing.
  const body = form(STORE, part('file', Buffer.alloc(MEGABYTE + 80 * 1024, 'x'), 'a.txt'));
  const stuck: UploadStore['receive'] = (_content, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const { store } = uploadRoute(join(temporaryDirectory(t), 'uploads'));
  store.receive = stuck;
  let received: IncomingMessage | undefined;
  const refused = Promise.withResolvers<void>();
  const app = express().post(PATH, (request) => {
    received = request;
    const options = {
      file: 'file',
      fields: ['vectorStore'],
      maxFileBytes: 2 * MEGABYTE,
      store,
      stalledMs: STALL_MS,
      timers,
    };
    readForm(request, { ...options, checkName: () => undefined }).catch(refused.reject);
  });
  const { port } = await listening(t, app);
  const { socket } = await connected(t, port);
  socket.write(head(body.length));
  socket.write(body);
  await eventually('it is complete', async () => received?.complete === true, 2_000);
  await timers.advance(2 * STALL_MS);
  socket.destroy();
  await assert.rejects(refused.promise, /ended before its announced length/);
});

test('upload: a body shorter than announced on a half-closed connection is refused', async (t) => {
  const { port, files } = await uploadServer(t);
  const { socket, closed } = await connected(t, port);
  socket.end(Buffer.concat([Buffer.from(head(WHOLE.length)), BEGUN]));
  await closed;
  await eventually('nothing is left', async () => files().length === 0, 2_000);
});

/** A client of a server whose stall time passes in ticks, and what the server has read of it. */
async function slowClient(t: TestContext) {
  const timers = new FakeClock();
  const { server, port, files } = await serverWithStallLimit(t, STALL_MS, timers);
  const connection = once(server, 'connection') as Promise<[Socket]>;
  const client = await connected(t, port);
  const [atServer] = await connection;
  let sent = 0;
  const send = async (data: Buffer | string) => {
    sent += data.length;
    client.socket.write(data);
    await eventually('it is read', async () => atServer.bytesRead === sent, 2_000);
  };
  await send(head(WHOLE.length));
  return { ...client, send, files, stallTime: () => timers.advance(STALL_MS) };
}

test('upload: less than 16 KB in the stall time is 408', async (t) => {
  const { send, status, closed, received, files, stallTime } = await slowClient(t);
  await send(BEGUN);
  await stallTime();
  await send(WHOLE.subarray(BEGUN.length, BEGUN.length + MIN_PROGRESS_BYTES - 1));
  assert.equal(status(), 0);
  await stallTime();
  await closed;
  assert.equal(status(), 408);
  assert.match(received(), /Less than 16 KB of the body came within 30 seconds\. Send it again/);
  assert.deepEqual(files(), []);
});

test('upload: 16 KB in the stall time are enough', async (t) => {
  const { send, status, files, stallTime } = await slowClient(t);
  for (let sent = 0; sent < WHOLE.length; sent += MIN_PROGRESS_BYTES) {
    await send(WHOLE.subarray(sent, sent + MIN_PROGRESS_BYTES));
    await stallTime();
  }
  await eventually('it is answered', async () => status() === 202, 2_000);
  assert.equal(files().length, 1);
});

test('upload: the connection is reused for the next request', async (t) => {
  const { port, files } = await uploadServer(t);
  const { socket, received } = await connected(t, port);
  const whole = Buffer.concat([Buffer.from(head(WHOLE.length)), WHOLE]);
  const wrong = form(part('file', Buffer.alloc(300_000), 'a.exe'));
  for (const one of [whole, Buffer.concat([Buffer.from(head(wrong.length)), wrong]), whole]) socket.write(one);
  await eventually('all are answered', async () => received().match(/HTTP\/1.1 \d+/g)?.length === 3, 3_000);
  assert.deepEqual(received().match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 202', 'HTTP/1.1 415', 'HTTP/1.1 202']);
  assert.equal(files().length, 2);
});

test('upload: an oversized or unauthenticated upload is refused before it is read', async (t) => {
  const { port, files } = await uploadServer(t);
  for (const [headers, status] of [
    [{}, 413],
    [{ 'x-api-key': 'nobody' }, 401],
    [{ 'content-type': 'text/csv' }, 415],
  ] as const) {
    const { socket, status: answered } = await connected(t, port);
    socket.write(head(2 ** 40, headers));
    await eventually('it is answered', async () => answered() === status, 1_000);
    socket.destroy();
  }
  assert.deepEqual(files(), []);
});

test('upload: a refused client that sends nothing more gets its response at once', async (t) => {
  const { port } = await serverWithStallLimit(t, STALL_MS, new FakeClock());
  const { socket, closed, status } = await connected(t, port);
  socket.write(head(2 ** 40));
  await closed;
  assert.equal(status(), 413);
});

for (const connection of ['keep-alive', 'close']) {
  test(`upload: a client that sends all before reading sees the refusal (${connection})`, async (t) => {
    const { port } = await uploadServer(t, { maxBytes: 5 * MEGABYTE });
    const body = form(part('file', Buffer.alloc(6 * MEGABYTE), 'a.exe'));
    const { socket, status, hasFailed } = await connected(t, port);
    socket.pause();
    socket.write(head(body.length, { connection }));
    await new Promise<void>((resolve, reject) => socket.write(body, (error) => (error ? reject(error) : resolve())));
    socket.resume();
    await eventually('it is answered', async () => status() > 0, 3_000);
    assert.deepEqual([status(), hasFailed()], [415, false]);
  });

  test(`upload: an endless body is answered and disconnected (${connection})`, async (t) => {
    const { port, files } = await uploadServer(t, { maxBytes: 5 * MEGABYTE });
    const { socket, closed, status } = await connected(t, port);
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MEGABYTE), Buffer.from('\r\n')]);
    const begin = part('file', '', 'a.txt').subarray(0, -2);
    socket.write(head('chunked', { connection }));
    socket.write(Buffer.concat([Buffer.from(`${begin.length.toString(16)}\r\n`), begin, Buffer.from('\r\n')]));
    let sent = 0;
    while (!socket.destroyed && sent < 1_000) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed]);
      sent += 1;
    }
    assert.equal(status(), 413);
    assert.ok(sent < 60, `${sent} MB were taken`);
    assert.deepEqual(files(), []);
  });
}

test('upload: data after the end of the form is not read for ever', async (t) => {
  const { port, files } = await uploadServer(t, { maxBytes: MEGABYTE });
  const { socket, closed, status } = await connected(t, port);
  socket.write(head(2 ** 21));
  socket.write(form(STORE, FILE));
  const more = await connected(t, port);
  more.socket.write(head('chunked'));
  const whole = form(STORE, FILE);
  more.socket.write(Buffer.concat([Buffer.from(`${whole.length.toString(16)}\r\n`), whole, Buffer.from('\r\n')]));
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MEGABYTE), Buffer.from('\r\n')]);
  for (let sent = 0; sent < 40 && !more.socket.destroyed; sent++) more.socket.write(chunk);
  await more.closed;
  assert.equal(more.status(), 413);
  socket.destroy();
  await closed;
  assert.equal(status(), 0);
  await eventually('nothing is left of either', async () => files().length === 0, 2_000);
});

test('upload: a client that streams sees the refusal while it is still sending', async (t) => {
  const { url } = await uploadServer(t);
  const sending = request(url, {
    method: 'POST',
    headers: { 'x-api-key': 'nobody', 'content-type': 'multipart/form-data; boundary=x' },
  });
  sending.on('error', () => undefined);
  let isOver = false;
  const feed = setInterval(() => !isOver && sending.write(Buffer.alloc(10_000)), 5);
  t.after(() => clearInterval(feed));
  const [response] = await once(sending, 'response');
  isOver = true;
  assert.equal(response.statusCode, 401);
  sending.destroy();
});

test('upload: a form whose final boundary is cut off is refused', async (t) => {
  const { url, files } = await uploadServer(t);
  for (let cut = 1; cut <= END.length + 2; cut++) {
    const { status } = await post(url, WHOLE.subarray(0, -cut));
    // The line break after the last boundary is optional.
    assert.equal(status, cut <= 2 ? 202 : 400, `${cut} bytes are missing`);
  }
  assert.equal(files().length, 2);
});
