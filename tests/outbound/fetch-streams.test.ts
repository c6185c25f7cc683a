import assert from 'node:assert/strict';
import type http from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { bodyOf, streamingFetch } from '../../src/outbound/fetch.ts';
import { lookupOf, pour, rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };

test('streamingFetch: an error response has the readable part of its body', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    response.writeHead(429, { 'retry-after': '7' });
    response.write('too ma', () => {
      if (request.url === '/cut') response.destroy();
    });
    if (request.url === '/endless') pour(response);
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const cut = await fetch(`${url}/cut`);
  assert.deepEqual([cut.status, cut.headers.get('retry-after'), await cut.text()], [429, '7', 'too ma']);
  const endless = await fetch(`${url}/endless`);
  assert.equal((await endless.text()).length, 64 * 1024);
});

test('streamingFetch: streams do not wait for one another', async (t) => {
  const held: http.ServerResponse[] = [];
  const { url } = await startServer(t, (_request, response) => {
    held.push(response);
    response.write('first');
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const bodies = await Promise.all(Array.from({ length: 300 }, async () => bodyOf(await fetch(url))));
  assert.equal(held.length, 300);
  for (const response of held) response.end(' last');
  const texts = await Promise.all(bodies.map(text));
  assert.deepEqual(new Set(texts), new Set(['first last']));
});

test('streamingFetch: connections are reused, and reopened after closing', async (t) => {
  const server = await startServer(t, (_request, response) => response.end('x'));
  const connections = testDispatchers(t);
  const fetch = streamingFetch(ANYWHERE, connections);
  for (let asked = 0; asked < 3; asked += 1) {
    await (await fetch(server.url)).text();
    // A connection is free a moment after the end of what came over it.
    await wait(5);
  }
  assert.equal(server.connections, 1);
  await connections.closeDispatchers();
  await (await fetch(server.url)).text();
  assert.equal(server.connections, 2);
});

test('closeDispatchers: active requests are aborted', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.write('first'));
  const connections = testDispatchers(t);
  const body = bodyOf(await streamingFetch(ANYWHERE, connections)(url));
  const end = rejectionOf(buffer(body));
  await connections.closeDispatchers();
  assert.ok((await end) instanceof Error);
});

test('dispatcherFor: the two policies share no connection', async (t) => {
  const server = await startServer(t, (_request, response) => response.end('x'));
  const lookup = lookupOf({ 'inside.test': [['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup });
  const url = `http://inside.test:${server.port}/`;
  await (await streamingFetch(ANYWHERE, connections)(url)).text();
  await assert.rejects(streamingFetch({ allowPrivateNetwork: false }, connections)(url), { name: 'BlockedAddress' });
});
