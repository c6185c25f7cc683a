import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import express, { type RequestHandler } from 'express';
import { logRequests } from '../../src/http/request-log.ts';
import { createLog } from '../../src/logging/log.ts';
import { Metrics } from '../../src/metrics/metrics.ts';
import { eventually } from '../support/process.ts';
import { connected, head, listening, PATH } from './body/upload-support.ts';

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
