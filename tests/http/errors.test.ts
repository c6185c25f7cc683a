import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { RequestHandler } from 'express';
import express from 'express';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { errorHandler } from '../../src/http/errors.ts';
import { logRequests } from '../../src/http/request-log.ts';
import { createLog } from '../../src/logging/log.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { eventually } from '../support/process.ts';
import { connected, head, listening, PATH } from './body/upload-support.ts';

/** The response and the log lines for an error that a handler throws. */
async function failed(t: TestContext, error: Error) {
  const lines: string[] = [];
  const log = createLog(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  const app = express();
  app.get('/', (_request, response) => {
    response.setHeader('x-request-id', 'the request');
    throw error;
  });
  app.use(errorHandler(log));
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { status: response.status, headers: response.headers, body: await response.json(), logged };
}

test('errorHandler: a reached limit is 503 and a warning without a stack', async (t) => {
  const { status, headers, body, logged } = await failed(
    t,
    new RuntimeError('unavailable', 'Too many. Try again.', { retryAfter: 7 }),
  );
  assert.deepEqual([status, headers.get('retry-after')], [503, '7']);
  assert.deepEqual(body, {
    ...{ statusCode: 503, message: 'Too many. Try again.', error: 'Service Unavailable', requestId: 'the request' },
  });
  const [{ level, msg, reason, requestId, err } = {}, ...more] = logged;
  assert.deepEqual(
    { level, msg, reason, requestId, err, more },
    {
      ...{
        level: 'warn',
        msg: 'request not answered for now',
        reason: 'Too many. Try again.',
        requestId: 'the request',
      },
      ...{ err: undefined, more: [] },
    },
  );
});

test('errorHandler: a machine fault is 503; its cause is logged, not sent', async (t) => {
  const cause = new Error('SQLITE_FULL: /var/data is full');
  const { status, body, logged } = await failed(
    t,
    new RuntimeError('unavailable', 'The disk is full. Try again.', { retryAfter: 5, cause }),
  );
  assert.deepEqual([status, (body as { message: string }).message], [503, 'The disk is full. Try again.']);
  const [{ level, msg, err } = {}, ...more] = logged;
  assert.deepEqual([level, msg, more], ['error', 'request failed', []]);
  assert.match(JSON.stringify(err), /SQLITE_FULL/);
  assert.ok(!JSON.stringify(body).includes('SQLITE'));
});

test('errorHandler: an unknown error is 500 without details and logged with its stack', async (t) => {
  const { status, body, logged } = await failed(t, new Error('secrets are here'));
  assert.equal(status, 500);
  assert.ok(!JSON.stringify(body).includes('secrets'));
  const [{ level, err } = {}] = logged;
  assert.equal(level, 'error');
  assert.match((err as { stack: string }).stack, /secrets are here[\s\S]*errors\.test\.ts/);
});

test('errorHandler: an error of the caller is not logged as an error', async (t) => {
  for (const code of ['invalid', 'not_found', 'conflict', 'rate_limited'] as const) {
    const { logged } = await failed(t, new RuntimeError(code, 'No.'));
    assert.deepEqual(logged, [], code);
  }
});

/** What is logged and measured of a client that leaves before its body ends. */
async function clientThatLeaves(t: TestContext, handler: RequestHandler) {
  const lines: string[] = [];
  const metrics = new Metrics();
  const app = express().use(
    logRequests(createLog('info', { write: (line) => lines.push(line) }), metrics),
    (request, _response, next) => {
      request.on('error', () => undefined);
      next();
    },
  );
  const { server, port } = await listening(t, app.post(PATH, handler));
  const requested = once(server, 'request') as Promise<[IncomingMessage]>;
  const { socket } = await connected(t, port);
  socket.write(head(1_000));
  await requested;
  socket.destroy();
  await eventually('it is logged', async () => lines.length > 0, 2_000);
  const { status, aborted } = JSON.parse(lines[0]!) as { status: number; aborted?: boolean };
  return { status, aborted, measured: metrics.requests.samples()[0]?.labels.status };
}

test('logRequests: a client that leaves before its answer is status 499', async (t) => {
  const logged = await clientThatLeaves(t, () => undefined);
  assert.deepEqual(logged, { status: 499, aborted: true, measured: '499' });
});

test('logRequests: a client that leaves during its answer has the status it saw', async (t) => {
  const logged = await clientThatLeaves(t, (_request, response) => void response.status(202).write('begun'));
  assert.deepEqual(logged, { status: 202, aborted: true, measured: '202' });
});
