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
import { eventually } from '../../support/process.ts';

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
