import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { RequestHandler } from 'express';
import { ServerStopped } from '../../../src/core/base/shared/errors.ts';
import { eventually } from '../../support/process.ts';
import { connected, form, head, MEGABYTE, type Options, part, post, STORE, uploadServer } from './upload-support.ts';

/** As many as one tenant may send at once, and as many as may wait. */
const SLOTS = 4;
/** Two uploads of each take the other 28 of all slots. */
const OTHER_TENANTS = 14;
const WAITING = 200;

const WHOLE = form(STORE, part('file', 'a text', 'a.txt'));
const LARGE = form(STORE, part('file', Buffer.alloc(8 * MEGABYTE, 'x'), 'a.txt'));

/** A server and clients of its only route. */
async function waitingRoom(t: TestContext, options: Options = {}) {
  let requests = 0;
  let lifted = 0;
  const before: RequestHandler = (_request, response, next) => {
    requests += 1;
    response.locals.liftDeadline = () => {
      lifted += 1;
    };
    next();
  };
  const { server, port, url, files } = await uploadServer(t, { ...options, before });
  /** Of the server, by the port of the client. */
  const sockets = new Map<number, Socket>();
  server.on('connection', (socket) => sockets.set(socket.remotePort!, socket));

  const sendAll = async (count: number, tenant: string, sent: Buffer, body = sent, headers = {}) => {
    const clients = await Promise.all(Array.from({ length: count }, () => connected(t, port)));
    const expected = requests + count;
    for (const { socket } of clients) {
      socket.write(head(body.length, { 'x-api-key': `${tenant}-key`, ...headers }));
      socket.write(sent);
    }
    await eventually('the requests are there', async () => requests === expected, 5_000);
    return clients.map((client) => ({ ...client, atServer: sockets.get(client.socket.localPort!)! }));
  };
  const send = async (tenant: string, sent: Buffer, body = sent, headers = {}) => {
    const [client] = await sendAll(1, tenant, sent, body, headers);
    return client!;
  };
  /** Clients that have a slot and have not sent everything. */
  const hold = async (tenant: string, count: number) => {
    const already = files().length;
    const clients = await sendAll(count, tenant, WHOLE.subarray(0, -10), WHOLE);
    await eventually('they have their slots', async () => files().length === already + count, 2_000);
    return { end: () => clients.forEach(({ socket }) => void socket.write(WHOLE.subarray(-10))), clients };
  };
  return { url, files, sendAll, send, hold, lifted: () => lifted };
}

type Client = { status(): number };
const answered = (clients: Client[], status = 202) =>
  eventually('all are answered', async () => clients.every((client) => client.status() === status), 5_000);

test('upload: one without a slot waits, unread and without a time limit', async (t) => {
  const { url, files, send, hold, lifted } = await waitingRoom(t);
  const holding = await hold('one', SLOTS);
  const large = await send('one', LARGE);
  const small = await send('one', WHOLE);
  for (let again = 0; again < 3; again++) {
    assert.equal((await post(url, WHOLE, { 'x-api-key': 'two-key' })).status, 202, 'another tenant has room');
  }
  assert.ok(large.atServer.bytesRead < MEGABYTE / 4, `${large.atServer.bytesRead} bytes were read`);
  assert.ok(large.socket.writableLength > 0, 'the client is held back');
  assert.deepEqual([large.status(), small.status(), files().length], [0, 0, SLOTS + 3]);
  assert.equal(lifted(), SLOTS + 2 + 3);
  holding.end();
  await answered([...holding.clients, large, small]);
  assert.equal(files().length, SLOTS + 2 + 3);
});

test('upload: 503 with Retry-After once 200 of a tenant wait; others pass', async (t) => {
  const { url, sendAll, send, hold } = await waitingRoom(t);
  const holding = await hold('one', SLOTS);
  const waiting = await sendAll(WAITING, 'one', WHOLE);
  const { status, headers, body } = await post(url, WHOLE);
  assert.deepEqual([status, headers.get('retry-after')], [503, '5']);
  assert.match(body.message, /Too many files are being sent at once; nothing was stored/);
  assert.equal((await post(url, WHOLE, { 'x-api-key': 'two-key' })).status, 202);

  const [leaving, ...staying] = waiting;
  leaving!.socket.destroy();
  await new Promise((resolve) => leaving!.atServer.once('close', resolve));
  const next = await send('one', WHOLE);
  const beyond = await post(url, WHOLE);
  assert.deepEqual([next.status(), beyond.status], [0, 503], 'the place of the one that left is taken, no other');
  holding.end();
  await answered([...holding.clients, ...staying, next]);
});

test('upload: a client that left with a full connection only delays the next', async (t) => {
  const { files, send, hold } = await waitingRoom(t);
  const holding = await hold('one', SLOTS);
  const left = await send('one', LARGE);
  left.socket.resetAndDestroy();
  const next = await send('one', WHOLE);
  holding.end();
  await answered([...holding.clients, next]);
  await eventually('nothing of it is left', async () => files().length === SLOTS + 1, 2_000);
});

test('upload: a tenant that waits is served before the next of one that sends', async (t) => {
  const { files, send, hold } = await waitingRoom(t);
  const first = await hold('one', SLOTS);
  const others = [];
  for (let tenant = 1; tenant <= OTHER_TENANTS; tenant++) others.push(await hold(`other${tenant}`, 2));
  const more = [await send('one', WHOLE), await send('one', WHOLE)];
  const begun = files().length;
  const other = await send('four', WHOLE.subarray(0, -10), WHOLE);
  assert.equal(files().length, begun, 'it has no slot');
  first.clients[0]?.socket.write(WHOLE.subarray(-10));
  await answered(first.clients.slice(0, 1));
  await eventually('it has the slot', async () => files().length === begun + 1, 2_000);
  assert.deepEqual(
    more.map(({ status }) => status()),
    [0, 0],
  );
  for (const { socket } of [...first.clients.slice(1), other]) socket.write(WHOLE.subarray(-10));
  for (const { end } of others) end();
  await answered([...first.clients, ...others.flatMap(({ clients }) => clients), ...more, other]);
});

test('upload: at a shutdown those that wait get 503, those being read end', async (t) => {
  const begun = new AbortController();
  const shutdown = { begun: begun.signal, stopping: new AbortController().signal };
  const { files, send, hold } = await waitingRoom(t, { shutdown });
  const holding = await hold('one', SLOTS);
  const waiting = [await send('one', WHOLE), await send('one', LARGE), await send('one', WHOLE, WHOLE, CLOSE)];
  begun.abort(new ServerStopped());
  await answered(waiting, 503);
  for (const { received } of waiting) assert.match(received(), /retry-after: 1\r\n/i);
  holding.end();
  await answered(holding.clients);
  assert.equal(files().length, SLOTS);
});

const CLOSE = { connection: 'close' };

test('upload: Expect: 100-continue is answered before the slot, 202 after it', async (t) => {
  const { send, hold } = await waitingRoom(t);
  const holding = await hold('one', SLOTS);
  const careful = await send('one', Buffer.alloc(0), WHOLE, { expect: '100-continue' });
  await eventually('it may send', async () => careful.received() === 'HTTP/1.1 100 Continue\r\n\r\n', 2_000);
  careful.socket.write(WHOLE);
  holding.end();
  await answered(holding.clients);
  await eventually('it is answered', async () => careful.received().includes('HTTP/1.1 202 Accepted'), 2_000);
});
