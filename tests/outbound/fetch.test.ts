import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bodyOf, guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { firstBytes } from '../../src/outbound/request.ts';
import { lookupOf, pour, rejectionOf, startServer, testDispatchers } from './support.ts';

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

test('streamingFetch: an abort during the DNS lookup takes effect at once', async (t) => {
  const connections = testDispatchers(t, { lookup: () => undefined });
  for (const fetch of [streamingFetch(ANYWHERE, connections), guardedFetch(ANYWHERE, connections)]) {
    const leaving = new AbortController();
    const reason = new Error('gone');
    const error = rejectionOf(fetch('http://slow.test/', { signal: leaving.signal }));
    setImmediate(() => leaving.abort(reason));
    assert.equal(await error, reason);
  }
});

test('streamingFetch: an aborted signal prevents the connection', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  await assert.rejects(fetch(server.url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(fetch(server.url, { signal: AbortSignal.abort(new Error('mine')) }), /mine/);
  assert.equal(server.connections, 0);
});

test('streamingFetch: an abort ends the request before and after its headers', async (t) => {
  const closed: Promise<unknown>[] = [];
  const server = await startServer(t, (request, response) => {
    closed.push(once(response, 'close'));
    if (request.url === '/begun') response.writeHead(200).write('first');
    server.server.emit('asked');
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  for (const path of ['/silent', '/begun']) {
    const leaving = new AbortController();
    const asked = once(server.server, 'asked');
    const answer = fetch(server.url + path, { signal: leaving.signal });
    answer.catch(() => undefined);
    await asked;
    if (path === '/begun') {
      const body = bodyOf(await answer);
      await body.read();
      leaving.abort();
      await assert.rejects(buffer(body), { name: 'AbortError' });
    } else {
      leaving.abort();
      await assert.rejects(answer, { name: 'AbortError' });
    }
    await closed.at(-1);
  }
});

test('streamingFetch: an abort at any moment leaves no unhandled error', async (t) => {
  const { url } = await startServer(t, async (request, response) => {
    request.resume();
    await wait(2);
    response.writeHead(request.url === '/error' ? 500 : 200);
    for (let sent = 0; sent < 5; sent += 1) {
      response.write('part');
      await wait(1);
    }
    if (request.url === '/cut') response.destroy();
    else response.end();
  });
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  const outcomes = await Promise.all(
    Array.from({ length: 150 }, async (_, index) => {
      // The first signal is aborted before the request; the last ones never are.
      const signal = index < 147 ? AbortSignal.timeout(index) : undefined;
      const path = ['/', '/error', '/cut'][index % 3]!;
      try {
        const response = await fetch(url + path, { method: 'POST', body: 'x'.repeat(index), signal });
        // Some read, some only look at the first part, some do not look at all.
        if (index % 4 === 1) await bodyOf(response).read();
        if (index % 4 === 2) bodyOf(response).destroy();
        return index % 4 === 0 ? await response.text() : 'begun';
      } catch {
        return 'failed';
      }
    }),
  );
  // Gives late errors time to surface.
  await wait(200);
  assert.deepEqual([outcomes[0], outcomes.at(-1)], ['failed', 'begun']);
});

test('streamingFetch: destroying a body ends the request without an error', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { url } = await startServer(t, (_request, response) => {
    closed.push(once(response, 'close'));
    response.write('first');
  });
  const body = bodyOf(await streamingFetch(ANYWHERE, testDispatchers(t))(url));
  await body.read();
  const more = body.read();
  body.destroy();
  assert.equal(await more, null);
  await closed[0];
});

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

test('firstBytes: a short body is read whole', async () => {
  assert.equal(String(await firstBytes(Readable.from([Buffer.from('not '), Buffer.from('found')]))), 'not found');
});

test('firstBytes: a long body is cut and the rest discarded', async () => {
  const body = Readable.from([Buffer.from('one '), Buffer.from('two '), Buffer.from('three')]);
  assert.equal(String(await firstBytes(body, undefined, { maxBytes: 6 })), 'one tw');
  assert.ok(body.destroyed);
});

test('firstBytes: a stalled body ends after the timeout with what has arrived', async () => {
  const body = new Readable({ read() {} });
  body.push('begun');
  assert.equal(String(await firstBytes(body, undefined, { maxMs: 10 })), 'begun');
  assert.ok(body.destroyed);
});

test('firstBytes: an abort rejects with its reason', async () => {
  const leaving = new AbortController();
  const body = new Readable({ read() {}, signal: leaving.signal });
  body.push('begun');
  const read = firstBytes(body, leaving.signal);
  leaving.abort(new Error('gone'));
  await assert.rejects(read, /gone/);
});
