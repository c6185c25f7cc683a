import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bodyOf, guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { lookupOf, rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** Answers with nothing, and keeps what it was asked. */
function recorder(seen: Seen[]): http.RequestListener {
  return async (request, response) => {
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: await buffer(request) });
    response.end();
  };
}

test('streamingFetch sends text, bytes or nothing, with the headers it is given', async (t) => {
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

test('streamingFetch refuses a body that is neither text nor bytes, and sends nothing', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  for (const body of [new FormData(), new Blob(['x']), new URLSearchParams('a=1')]) {
    await assert.rejects(fetch(server.url, { method: 'POST', body }), /text and bytes only/);
  }
  await assert.rejects(fetch(new Request(server.url)), TypeError);
  assert.equal(server.connections, 0);
});

test('streamingFetch asks for nothing compressed, whatever it was given, and hands on what comes as it comes', async (t) => {
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

test('a response says its status, address and headers, also those that come more than once', async (t) => {
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

test('a response without a body is an empty one', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.writeHead(204).end());
  assert.equal(await (await streamingFetch(ANYWHERE, testDispatchers(t))(url)).text(), '');
});

test('bodyOf takes the responses of streamingFetch and no others', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.end('body'));
  const connections = testDispatchers(t);
  assert.equal(await text(bodyOf(await streamingFetch(ANYWHERE, connections)(url))), 'body');
  const other = await guardedFetch(ANYWHERE, connections)(url);
  assert.throws(() => bodyOf(other), TypeError);
});

for (const status of [301, 302, 303, 307, 308]) {
  test(`a redirect with ${status} is handed back and not followed`, async (t) => {
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

test('guardedFetch follows redirects when it is asked to, and asks for compression when it is told to', async (t) => {
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

test('an abort is felt at once while the name is still looked up', async (t) => {
  const connections = testDispatchers(t, { lookup: () => undefined });
  for (const fetch of [streamingFetch(ANYWHERE, connections), guardedFetch(ANYWHERE, connections)]) {
    const leaving = new AbortController();
    const reason = new Error('gone');
    const error = rejectionOf(fetch('http://slow.test/', { signal: leaving.signal }));
    setImmediate(() => leaving.abort(reason));
    assert.equal(await error, reason);
  }
});

test('whoever has left before asking is not connected at all', async (t) => {
  const server = await startServer(t, (_request, response) => response.end());
  const fetch = streamingFetch(ANYWHERE, testDispatchers(t));
  await assert.rejects(fetch(server.url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  await assert.rejects(fetch(server.url, { signal: AbortSignal.abort(new Error('mine')) }), /mine/);
  assert.equal(server.connections, 0);
});

test('an abort ends the request upstream, before and after its headers', async (t) => {
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
      await once(body, 'data');
      leaving.abort();
      await assert.rejects(buffer(body), { name: 'AbortError' });
    } else {
      leaving.abort();
      await assert.rejects(answer, { name: 'AbortError' });
    }
    await closed.at(-1);
  }
});

test('an abort at any moment leaves no error without a listener', async (t) => {
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
      // The first has left before it asks; the last ones stay.
      const signal = index < 147 ? AbortSignal.timeout(index) : undefined;
      const path = ['/', '/error', '/cut'][index % 3]!;
      try {
        const response = await fetch(url + path, { method: 'POST', body: 'x'.repeat(index), signal });
        // Some read, some only look at the first part, some do not look at all.
        if (index % 4 === 1) await once(bodyOf(response), 'data');
        if (index % 4 === 2) bodyOf(response).destroy();
        return index % 4 === 0 ? await response.text() : 'begun';
      } catch {
        return 'failed';
      }
    }),
  );
  // Whatever is left of them has its chance to fail.
  await wait(200);
  assert.deepEqual([outcomes[0], outcomes.at(-1)], ['failed', 'begun']);
});

test('a body that is destroyed while it is read ends the request and is no error of anyone', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { url } = await startServer(t, (_request, response) => {
    closed.push(once(response, 'close'));
    response.write('first');
  });
  const body = bodyOf(await streamingFetch(ANYWHERE, testDispatchers(t))(url));
  body.on('data', () => body.destroy());
  await new Promise((resolve) => body.on('close', resolve));
  await closed[0];
});

test('an error is handed on with what could be read of it when its body breaks off or has no end', async (t) => {
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

test('streams do not wait for one another', async (t) => {
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

test('connections are used again, and after closing made anew', async (t) => {
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

test('closing breaks off what runs', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.write('first'));
  const connections = testDispatchers(t);
  const body = bodyOf(await streamingFetch(ANYWHERE, connections)(url));
  const end = rejectionOf(buffer(body));
  await connections.closeDispatchers();
  assert.ok((await end) instanceof Error);
});

test('the two policies share no connection', async (t) => {
  const server = await startServer(t, (_request, response) => response.end('x'));
  const lookup = lookupOf({ 'inside.test': [['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup });
  const url = `http://inside.test:${server.port}/`;
  await (await streamingFetch(ANYWHERE, connections)(url)).text();
  await assert.rejects(streamingFetch({ allowPrivateNetwork: false }, connections)(url), { name: 'BlockedAddress' });
});

function pour(response: http.ServerResponse): void {
  const more = () => {
    while (!response.destroyed && response.write('.'.repeat(10_000)));
  };
  response.on('drain', more);
  more();
}
