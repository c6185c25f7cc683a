import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { MemoryBudget } from '../../../src/core/base/concurrency/memory-budget.ts';
import { bufferBody } from '../../../src/http/body/read.ts';
import { errorHandler } from '../../../src/http/errors.ts';
import { createLog } from '../../../src/logging/log.ts';
import { EVENTS } from '../../support/app.ts';
import { eventually } from '../../support/process.ts';
import { appOfThisFile } from '../../support/shared.ts';

/** One tenant may use half. */
const BUDGET = 2_000_000;

const LARGEST = 400_000;

/** Responds with the size of a body, once `answer` is called. */
async function server(t: TestContext) {
  const waiting: (() => void)[] = [];
  const app = express();
  app.use((request, response, next) => {
    response.locals.caller = { tenantId: request.get('x-tenant') ?? 'one' };
    next();
  });
  app.post('/', bufferBody(new MemoryBudget(BUDGET), LARGEST), async (request, response) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    response.json(request.body.length);
  });
  app.use(errorHandler(createLog('silent')));
  const listening = app.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.after(() => listening.close());
  const { port } = listening.address() as AddressInfo;
  const send = async (body: Buffer, encoding = 'identity', tenant = 'one') => {
    const headers = { 'content-encoding': encoding, 'x-tenant': tenant };
    const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body });
    const result = (await response.json()) as number | { message: string };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), result };
  };
  const answer = () => {
    for (const each of waiting.splice(0)) each();
  };
  return { port, send, answer, waiting };
}

for (const encoding of ['identity', 'gzip']) {
  test(`bufferBody (${encoding}): bodies beyond the memory budget get 503 with Retry-After`, async (t) => {
    const { send, answer, waiting } = await server(t);
    const body = encoding === 'gzip' ? gzipSync(Buffer.alloc(LARGEST)) : Buffer.alloc(LARGEST);
    const sent = Array.from({ length: 12 }, () => send(body, encoding));
    const refused = sent.map((one) => one.then(({ status }) => status === 503));
    let refusals = 0;
    for (const one of refused) void one.then((isRefused) => (refusals += isRefused ? 1 : 0));
    await eventually('all are in or refused', async () => refusals + waiting.length === 12, 5_000);
    assert.ok(waiting.length >= 1 && waiting.length <= 2, `${waiting.length} are in`);
    const before = waiting.length;
    const other = send(body, encoding, 'two');
    await eventually('another tenant has budget', async () => waiting.length === before + 1, 5_000);
    answer();
    assert.equal((await other).status, 200);
    const answers = await Promise.all(sent);
    for (const { status, retryAfter, result } of answers) {
      if (typeof result === 'number') assert.deepEqual([status, result], [200, LARGEST]);
      else assert.deepEqual([status, retryAfter, result.message.slice(0, 22)], [503, '1', 'Too much is being sent']);
    }

    const again = send(body, encoding);
    await eventually('the budget is free again', async () => waiting.length === 1, 5_000);
    answer();
    assert.equal((await again).status, 200);
  });
}

test('bufferBody: a client that disconnects within a body releases its budget', async (t) => {
  const { port, send, answer, waiting } = await server(t);
  for (let round = 0; round < 5; round++) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${LARGEST}\r\n\r\n${'x'.repeat(LARGEST - 1)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await once(socket, 'close');
  }
  const sent = send(Buffer.alloc(LARGEST));
  await eventually('it is in', async () => waiting.length === 1, 5_000);
  answer();
  assert.equal((await sent).status, 200);
});

test('bufferBody: an oversized or corrupt body is refused and releases its budget', async (t) => {
  const { send, answer, waiting } = await server(t);
  for (let round = 0; round < 5; round++) {
    assert.equal((await send(Buffer.alloc(LARGEST + 1))).status, 413);
    assert.equal((await send(gzipSync(Buffer.alloc(LARGEST + 1)), 'gzip')).status, 413);
    assert.equal((await send(gzipSync(Buffer.alloc(LARGEST, 'x')).subarray(0, -20), 'gzip')).status, 400);
    for (const encoding of ['gzip', 'deflate', 'br'])
      assert.equal((await send(Buffer.from('no'), encoding)).status, 400);
    assert.equal((await send(Buffer.from('x'), 'compress')).status, 415);
  }
  const sent = send(Buffer.alloc(LARGEST));
  await eventually('it is in', async () => waiting.length === 1, 5_000);
  answer();
  assert.equal((await sent).status, 200);
});

const sharedApp = appOfThisFile();

/**
 * Everything that the server sends for these bytes until it closes; `half`: half-closes the
 * connection.
 */
async function exchange(t: TestContext, text: string, { half = false } = {}): Promise<string> {
  const { port, hostname } = new URL((await sharedApp()).url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  t.after(() => socket.destroy());
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  socket.on('error', () => undefined);
  if (half) socket.end(text);
  else socket.write(text);
  await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
  return received;
}

function assertFault(received: string, status: number, message: RegExp): void {
  const [head = '', body = ''] = received.split('\r\n\r\n');
  assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), received);
  assert.match(head, /\r\nx-request-id: [\w-]{36}\r\n/);
  const fault = JSON.parse(body);
  assert.equal(fault.statusCode, status);
  assert.match([fault.message].flat().join('; '), message);
  assert.equal(head.match(/^HTTP\/1.1 \d+ (.*)\r\n/)![1], fault.error);
}

const HOST = 'host: 127.0.0.1\r\n';

test('answerMalformed: a request that is not HTTP is 400 with the usual error body', async (t) => {
  assertFault(await exchange(t, 'nonsense\r\n\r\n'), 400, /^request: is malformed/);
  assertFault(await exchange(t, `GET /healthz HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`), 400, /^request: is malformed/);
  assertFault(await exchange(t, `POST / HTTP/1.1\r\n${HOST}content-length: x\r\n\r\n`), 400, /^request: is malformed/);
});

test('answerMalformed: headers above 16 KB are 431 and the message names the limit', async (t) => {
  const headers = `GET /healthz HTTP/1.1\r\n${HOST}x-long: ${'a'.repeat(20_000)}\r\n\r\n`;
  assertFault(await exchange(t, headers), 431, /exceed 16 KB/);
});

test('answerMalformed: a body that ends before its announced length is 400', async (t) => {
  const { key } = await sharedApp();
  const head = `POST ${EVENTS} HTTP/1.1\r\n${HOST}x-api-key: ${key}\r\ncontent-type: application/json\r\n`;
  const ended = /ended before its announced length$/;
  assertFault(await exchange(t, `${head}content-length: 100\r\n\r\n{"events":[`, { half: true }), 400, ended);
  assertFault(await exchange(t, `${head}transfer-encoding: chunked\r\n\r\n5\r\n{"eve`, { half: true }), 400, ended);
});

test('answerMalformed: nothing is written into a response that has begun or ended', async (t) => {
  const get = `GET /healthz HTTP/1.1\r\n${HOST}\r\n`;
  const received = await exchange(t, `${get}nonsense\r\n\r\n`);
  assert.match(received, /^HTTP\/1.1 (200|400) /);
  const heads = received.match(/HTTP\/1\.1 \d+ /g)!;
  assert.ok(heads.length <= 2, received);
  if (heads.length === 2) assertFault(received.slice(received.lastIndexOf('HTTP/1.1')), 400, /^request: is malformed/);
});

test('answerMalformed: an unknown Expect header is ignored', async (t) => {
  const received = await exchange(t, `GET /healthz HTTP/1.1\r\n${HOST}expect: miracles\r\nconnection: close\r\n\r\n`);
  assert.match(received, /^HTTP\/1.1 200 OK/);
  assert.match(received, /\{"status":"ok"\}$/);
});
