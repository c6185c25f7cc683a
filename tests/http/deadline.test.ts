import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import express from 'express';
import { liftBodyTimeLimit, limitBodyTime } from '../../src/http/deadline.ts';
import { connected, listening } from './body/upload-support.ts';

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
