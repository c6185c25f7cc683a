import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, createServer, type IncomingMessage, request as rawRequest, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import express from 'express';
import { errorHandler } from '../../../src/http/errors.ts';
import { limitStreams } from '../../../src/http/mcp/streams.ts';
import { createLog } from '../../../src/logging/log.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { LIST_TOOLS } from '../../support/oauth.ts';
import { eventually } from '../../support/process.ts';
import { appOfThisFile } from '../../support/shared.ts';

const MAX_OF_KEY = 32;
const MAX_OF_TENANT = 256;
const LISTEN = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };

/** An application where every request is an endless stream; x-key and x-tenant name its owner. */
async function streaming(t: TestContext, path?: string) {
  const app = express();
  app.use(express.json(), (request, response, next) => {
    const tenantId = request.get('x-tenant') ?? 'one';
    response.locals.caller = { tenantId, credential: { kind: 'key', id: request.get('x-key') } };
    next();
  });
  app.use(limitStreams(), (_request, response) => response.writeHead(200).flushHeaders());
  app.use(errorHandler(createLog('silent')));
  const server = createServer(app);
  server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const where = path === undefined ? { port: (server.address() as AddressInfo).port } : { socketPath: path };
  return async (headers: Record<string, string>, body: unknown = LISTEN, method = 'POST') => {
    const request: ClientRequest = rawRequest({
      ...where,
      method,
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    request.on('error', () => undefined).end(method === 'GET' ? undefined : JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    const { statusCode: status, headers: answered } = response;
    const text = status === 200 ? '' : (await response.toArray()).join('');
    return { status, retryAfter: answered['retry-after'], text, close: () => request.destroy() };
  };
}

test('limitStreams: a key has 32 streams, then 429 until one is closed', async (t) => {
  const ask = await streaming(t);
  const mine = { 'x-key': 'mine' };
  const opened = [];
  for (let count = 0; count < MAX_OF_KEY; count++) opened.push(await ask(mine, LISTEN, count % 2 ? 'GET' : 'POST'));
  assert.deepEqual([...new Set(opened.map(({ status }) => status))], [200]);
  const refused = await ask(mine);
  assert.deepEqual([refused.status, refused.retryAfter], [429, '10']);
  assert.match(JSON.parse(refused.text).message, /^This API key has 32 MCP streams open/);
  assert.equal((await ask(mine, [{ method: 'tools/list' }, LISTEN])).status, 429, 'in a batch, too');
  assert.equal((await ask(mine, { method: 'tools/call' })).status, 200, 'a request that ends by itself is no stream');
  assert.equal((await ask({ 'x-key': 'another' })).status, 200);
  opened[0]!.close();
  await eventually('a place', async () => (await ask(mine)).status === 200, 5_000);
  assert.equal((await ask(mine)).status, 429);
});

test('limitStreams: a tenant has 256 streams over all of its keys', async (t) => {
  const ask = await streaming(t);
  for (let key = 0; key < MAX_OF_TENANT / MAX_OF_KEY; key++) {
    const answers = await Promise.all(Array.from({ length: MAX_OF_KEY }, () => ask({ 'x-key': `key ${key}` })));
    assert.ok(answers.every(({ status }) => status === 200));
  }
  const refused = await ask({ 'x-key': 'one more' });
  assert.equal(refused.status, 429);
  assert.match(JSON.parse(refused.text).message, /^This tenant has 256 MCP streams open/);
  assert.equal((await ask({ 'x-key': 'theirs', 'x-tenant': 'two' })).status, 200);
});

test("limitStreams: streams over the data directory's socket are not counted", async (t) => {
  const ask = await streaming(t, join(temporaryDirectory(t), 's.sock'));
  for (let count = 0; count <= MAX_OF_KEY; count++) assert.equal((await ask({ 'x-key': 'mine' })).status, 200);
});

const sharedApp = appOfThisFile();

/** Without the headers that `fetch` adds. */
async function statusFor(method: string, accept: string | undefined): Promise<number> {
  const { url, key } = await sharedApp();
  const headers = { 'x-api-key': key, 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/mcp`, { method, headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject).end(method === 'POST' ? JSON.stringify(LIST_TOOLS) : undefined);
  });
}

test('MCP Accept: media ranges, weights, parameters and case count as HTTP has them', async () => {
  for (const accept of [
    undefined,
    '*/*',
    'application/*, text/*',
    'application/json, text/*',
    'application/*;q=0.2,text/event-stream',
    'Application/JSON, TEXT/Event-Stream',
    'application/json;q=0.9, text/event-stream;q=0.8',
    'application/json; charset=utf-8, text/event-stream; charset="utf-8"; q=0.5',
    'text/html, image/png, */*;q=0.1',
    'text/html;level=1, */*; q=0.001',
    ' text/event-stream ,, application/json ',
  ]) {
    assert.equal(await statusFor('POST', accept), 200, accept);
  }
  for (const accept of [
    'text/html',
    'application/json',
    'text/*',
    'application/*',
    '*/*;q=0',
    'application/json;q=0, */*',
    '*/*, text/event-stream;q=0.0',
    'application/jsonp, text/event-stream',
    'x/application/json, x/text/event-stream',
    'nonsense',
  ]) {
    assert.equal(await statusFor('POST', accept), 406, accept);
  }
});
