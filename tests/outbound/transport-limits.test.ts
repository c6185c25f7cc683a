import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { MemoryBudget } from '../../src/core/base/concurrency/memory-budget.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { makeTransport } from '../../src/outbound/transport.ts';
import { pour, rejectionOf, startServer, testDispatchers } from './support.ts';
import { faultOf, LOOPBACK, send, startSpeaker, told } from './transport-support.ts';

const MEGABYTE = 1_000_000;

test('Transport: a response may have maxBytes and not one more, announced or not', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    const size = Number(request.url!.slice(2));
    if (request.url!.startsWith('/d')) response.setHeader('content-length', size);
    response.writeHead(404);
    response.write(Buffer.alloc(size, 'x'));
    response.end();
  });
  for (const kind of ['d', 'u']) {
    assert.equal((await send(t, `${url}/${kind}50000`, { maxBytes: 50_000 })).body.length, 50_000);
    const fault = await faultOf(send(t, `${url}/${kind}50001`, { maxBytes: 50_000 }));
    assert.deepEqual(told(fault), ['too large', true, 404]);
    assert.match(fault.message, /more than 50000 bytes \(maxResponseBytes/);
  }
});

test('Transport: announced and endless bodies beyond the limit are not waited for', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { url } = await startServer(t, (request, response) => {
    closed.push(once(response, 'close'));
    if (request.url === '/endless') pour(response);
    else response.writeHead(200, { 'content-length': 100_001 }).flushHeaders();
  });
  for (const path of ['/said', '/endless']) {
    assert.deepEqual(told(await faultOf(send(t, url + path))), ['too large', true, 200]);
  }
  await Promise.all(closed);
});

test('Transport: an announced length that is not sent reserves no memory', async (t) => {
  const { url } = await startSpeaker(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 49000000\r\n\r\nfew');
  });
  const leaving = new AbortController();
  const before = process.memoryUsage().arrayBuffers;
  const all = Array.from({ length: 20 }, () =>
    rejectionOf(send(t, url, { maxBytes: 50 * MEGABYTE, signal: leaving.signal })),
  );
  setTimeout(() => leaving.abort(), 50);
  await Promise.all(all);
  assert.ok(process.memoryUsage().arrayBuffers - before < 20 * MEGABYTE);
});

for (const [coding, bomb] of Object.entries({
  gzip: gzipSync(Buffer.alloc(200 * MEGABYTE)),
  deflate: deflateSync(Buffer.alloc(200 * MEGABYTE)),
  br: brotliCompressSync(Buffer.alloc(200 * MEGABYTE), { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
})) {
  test(`Transport: a bomb of ${coding} is aborted at the limit`, async (t) => {
    assert.ok(bomb.length < 200 * MEGABYTE * 0.0011);
    const closed: Promise<unknown>[] = [];
    const { url } = await startServer(t, (_request, response) => {
      closed.push(once(response, 'close'));
      response.writeHead(200, { 'content-encoding': coding }).write(bomb);
    });
    const before = process.memoryUsage().rss;
    const fault = await faultOf(send(t, url, { maxBytes: MEGABYTE }));
    assert.deepEqual(told(fault), ['too large', true, 200]);
    assert.ok(process.memoryUsage().rss - before < 60 * MEGABYTE);
    await Promise.all(closed);
  });
}

test('Transport: nested bombs are decompressed once, declared chains not at all', async (t) => {
  const inner = gzipSync(Buffer.alloc(100 * MEGABYTE));
  const { url } = await startServer(t, (request, response) => {
    const coding = request.url === '/two' ? 'gzip, gzip' : 'gzip';
    response.writeHead(200, { 'content-encoding': coding }).end(gzipSync(inner));
  });
  assert.deepEqual((await send(t, url, { maxBytes: MEGABYTE })).body, inner);
  assert.deepEqual(told(await faultOf(send(t, `${url}/two`))), ['undecodable', true, 200]);
});

test('Transport: compressed bytes have a limit that incompressible data stays within', async (t) => {
  const random = crypto.getRandomValues(Buffer.alloc(50_000));
  const { url } = await startServer(t, (request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    if (request.url === '/random') response.end(gzipSync(random));
    // Nothing but a head whose comment never ends.
    else response.write(Buffer.concat([Buffer.from([31, 139, 8, 16, 0, 0, 0, 0, 0, 3]), Buffer.alloc(60_000, 'c')]));
  });
  assert.ok(gzipSync(random).length > random.length);
  assert.deepEqual((await send(t, `${url}/random`, { maxBytes: random.length })).body, random);
  const fault = await faultOf(send(t, `${url}/comment`, { maxBytes: 50_000 }));
  assert.deepEqual(told(fault), ['too large', true, 200]);
});

test('Transport: a body that arrives byte by byte uses only its own memory', async (t) => {
  const bytes = 300_000;
  const chunks = Buffer.from('1\r\na\r\n'.repeat(bytes));
  const { url } = await startSpeaker(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
    socket.write(chunks);
    socket.write('0\r\n\r\n');
  });
  const { body } = await send(t, url, { maxBytes: MEGABYTE });
  assert.equal(body.length, bytes);
  assert.ok(body.equals(Buffer.alloc(bytes, 'a')));
  assert.ok(body.buffer.byteLength <= 2 * bytes);
});

test('Transport: the signal ends a slow body and its connection', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 5);
    response.on('close', () => {
      clearInterval(timer);
      closed.resolve();
    });
  });
  const reason = new Error('time is over');
  const leaving = new AbortController();
  setTimeout(() => leaving.abort(reason), 60);
  assert.equal(await rejectionOf(send(t, url, { signal: leaving.signal })), reason);
  await closed.promise;
});

test('Transport: responses share a memory budget of which a tenant may use half', async (t) => {
  const room = new MemoryBudget(4 * MEGABYTE);
  const transport = makeTransport({ connections: testDispatchers(t), budget: room });
  let begun = 0;
  const { url, server } = await startServer(t, (request, response) => {
    if (request.url === '/whole') return response.end(Buffer.alloc(MEGABYTE));
    response.write(Buffer.alloc(1_800_000));
    begun += 1;
    server.emit('begun');
  });
  const leaving = new AbortController();
  const sending = { transport, maxBytes: 2 * MEGABYTE };
  const held = rejectionOf(send(t, url, { ...sending, maxBytes: 1_900_000, signal: leaving.signal }));
  await once(server, 'begun');
  // The response was written once the budget of its tenant is exhausted.
  while (room.tryReserve('tenant', 200_000)) {
    room.release('tenant', 200_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const fault = await faultOf(send(t, `${url}/whole`, sending));
  assert.deepEqual(told(fault), ['too large', true, 200]);
  assert.match(fault.message, /room for at the moment/);
  const another = { ...sending, policy: { ...LOOPBACK, tenantId: 'another' } };
  assert.equal((await send(t, `${url}/whole`, another)).body.length, MEGABYTE);
  leaving.abort();
  await held;
  assert.equal(begun, 1);
  assert.ok(room.tryReserve('tenant', 2 * MEGABYTE) && room.tryReserve('another', 2 * MEGABYTE));
});

test('Transport: an exhausted memory budget refuses a request before it is sent', async (t) => {
  const room = new MemoryBudget(MEGABYTE);
  room.reserve('tenant', 490_000);
  const server = await startServer(t, (_request, response) => response.end('ok'));
  const transport = makeTransport({ connections: testDispatchers(t), budget: room });
  const error = await rejectionOf(send(t, server.url, { transport }));
  assert.ok(error instanceof RuntimeError);
  assert.deepEqual([error.code, error.retryAfter, server.connections], ['unavailable', 1, 0]);
  room.release('tenant', 490_000);
  assert.equal((await send(t, server.url, { transport })).status, 200);
});

test('CallPools: idle pools beyond the limit are closed, active ones stay open', async (t) => {
  const held = Promise.withResolvers<void>();
  const closed: Record<string, Promise<unknown>> = {};
  const server = await startServer(t, async (request, response) => {
    closed[request.url!] = once(request.socket, 'close');
    if (request.url === '/a') await held.promise;
    response.end(request.url);
  });
  const transport = makeTransport({ connections: testDispatchers(t, { maxCallPools: 2 }) });
  const ask = async (tenantId: string) => {
    const answer = await send(t, `${server.url}/${tenantId}`, { transport, policy: { ...LOOPBACK, tenantId } });
    return answer.body.toString();
  };
  const late = ask('a');
  await ask('b');
  await ask('c');
  await closed['/b'];
  await ask('d');
  await closed['/c'];
  held.resolve();
  assert.equal(await late, '/a');
});
