import assert from 'node:assert/strict';
import type http from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bodyOf, guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Answers with an empty body and stores the requests. */
function recorder(seen: Seen[]): http.RequestListener {
  return async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await buffer(request) });
    response.end();
  };
}

test('streamingFetch: sends text, bytes or nothing with the given headers', async (t) => {
  const seen: Seen[] = [];
  const { url } = await startServer(t, recorder(seen));
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const bytes = new Uint8Array([0, 255, 128]);
  await fetch(`${url}/text?a=1&b=%20#part`, {
    method: 'POST',
    body: 'grüße',
    headers: new Headers({ 'X-Key': 'one' }),
  });
  await fetch(new URL(`${url}/bytes`), { method: 'PUT', body: bytes.subarray(1), headers: { 'x-key': 'two' } });
  await fetch(`${url}/nothing`, { method: 'DELETE', body: null, headers: [['x-key', 'three']] });
  await fetch(url);
  assert.deepEqual(
    seen.map(({ method, url, headers, body }) => [method, url, headers['x-key'], headers['content-length'], body]),
    [
      ['POST', '/text?a=1&b=%20', 'one', '7', Buffer.from('grüße')],
      ['PUT', '/bytes', 'two', '2', Buffer.from([255, 128])],
      ['DELETE', '/nothing', 'three', undefined, Buffer.alloc(0)],
      ['GET', '/', undefined, undefined, Buffer.alloc(0)],
    ],
  );
});

test('streamingFetch: a large body is sent whole, even after an early response', async (t) => {
  const seen: Seen[] = [];
  const { url } = await startServer(t, recorder(seen));
  const early = await startServer(t, (request, response) => response.writeHead(400).end(() => request.resume()));
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const text = 'grüße '.repeat(500_000);
  const bytes = Buffer.from(text);
  for (const body of [text, bytes]) {
    assert.equal((await fetch(url, { method: 'POST', body })).status, 200);
    const { headers, body: came } = seen.pop()!;
    assert.deepEqual(
      [headers['content-length'], headers['transfer-encoding'], came.equals(bytes)],
      [String(bytes.length), undefined, true],
    );
    assert.equal((await fetch(early.url, { method: 'POST', body })).status, 400);
  }
});

test('streamingFetch: a body that is neither text nor bytes is refused', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  for (const body of [new FormData(), new Blob(['x']), new URLSearchParams('a=1')]) {
    await assert.rejects(fetch(server.url, { method: 'POST', body }), /text and bytes only/);
  }
  await assert.rejects(fetch(new Request(server.url)), TypeError);
  assert.equal(server.connections, 0);
});

test('streamingFetch: asks for no compression and passes bodies on unchanged', async (t) => {
  const asked: (string | undefined)[] = [];
  const compressed = gzipSync('plain');
  const { url } = await startServer(t, ({ headers }, response) => {
    asked.push(headers['accept-encoding']);
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(compressed);
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip, br' } });
  assert.deepEqual(asked, ['identity']);
  assert.deepEqual(await buffer(bodyOf(response)), compressed);
});

test('StreamingResponse: has the status, URL and headers, also repeated ones', async (t) => {
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(201, 'Made', { 'x-one': 'a', 'set-cookie': ['c=1', 'd=2'], 'x-latin': 'caf\xe9' });
    response.end('{"made":true}');
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const response = await fetch(`${url}/made`);
  assert.deepEqual([response.ok, response.status, response.statusText], [true, 201, 'Made']);
  assert.equal(response.url, `${url}/made`);
  assert.ok(response.headers instanceof Headers);
  assert.deepEqual([response.headers.get('x-one'), response.headers.get('X-Latin')], ['a', 'caf\xe9']);
  assert.deepEqual(response.headers.getSetCookie(), ['c=1', 'd=2']);
  assert.deepEqual(await response.json(), { made: true });
  assert.equal(await (await fetch(url)).text(), '{"made":true}');
  assert.equal(Buffer.from(await (await fetch(url)).arrayBuffer()).toString(), '{"made":true}');
});

test('StreamingResponse: a response without a body is an empty one', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.writeHead(204).end());
  assert.equal(await (await streamingFetch(ANYWHERE, testDispatchers(t))(url)).text(), '');
});

test('bodyOf: accepts only responses of streamingFetch', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.end('body'));
  const connections = testDispatchers(t);
  assert.equal(await text(bodyOf(await streamingFetch(ANYWHERE, connections)(url))), 'body');
  const other = await guardedFetch(ANYWHERE, connections)(url);
  assert.throws(() => bodyOf(other), TypeError);
});

for (const status of [301, 302, 303, 307, 308]) {
  test(`streamingFetch: a redirect with ${status} is returned, not followed`, async (t) => {
    const asked: (string | undefined)[] = [];
    const { url } = await startServer(t, (request, response) => {
      asked.push(request.url);
      response.writeHead(status, { location: '/elsewhere' }).end('moved');
    });
    const connections = testDispatchers(t);
    const response = await streamingFetch(ANYWHERE, connections)(`${url}/here`, { method: 'POST', body: '{}' });
    assert.deepEqual([response.ok, response.status, response.headers.get('location')], [false, status, '/elsewhere']);
    assert.equal(await response.text(), 'moved');
    await assert.rejects(guardedFetch(ANYWHERE, connections)(`${url}/here`), TypeError);
    assert.deepEqual(asked, ['/here', '/here']);
  });
}

test('guardedFetch: follows redirects and asks for compression on request', async (t) => {
  const asked: (string | undefined)[] = [];
  const { url } = await startServer(t, (request, response) => {
    asked.push(request.headers['accept-encoding']);
    if (request.url === '/here') response.writeHead(302, { location: '/elsewhere' }).end();
    else response.end('arrived');
  });
  const fetch = guardedFetch(ANYWHERE, testDispatchers(t));
  const response = await fetch(`${url}/here`, { redirect: 'follow', headers: { 'accept-encoding': 'gzip' } });
  assert.equal(await response.text(), 'arrived');
  await fetch(url);
  assert.deepEqual(asked, ['gzip', 'gzip', 'identity']);
});
