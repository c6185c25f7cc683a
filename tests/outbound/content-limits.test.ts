import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { get, refusalOf } from './content-support.ts';
import { pour, rejectionOf, startServer } from './support.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

test('fetchContent: decompressed bytes count, so a bomb is aborted at the limit', async (t) => {
  const bomb = gzipSync(Buffer.alloc(100_000_000));
  const closed: Promise<unknown>[] = [];
  const { url } = await startServer(t, (request, response) => {
    closed.push(once(response, 'close'));
    if (request.url === '/small') response.writeHead(200, { 'content-encoding': 'br' }).end(brotliCompressSync(PNG));
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  assert.deepEqual((await get(t, `${url}/small`)).bytes, PNG);
  const before = process.memoryUsage().rss;
  const message = await refusalOf(get(t, url, { maxBytes: 1_000_000 }));
  assert.match(message, /more than 1000000 bytes/);
  assert.ok(process.memoryUsage().rss - before < 60_000_000);
  await Promise.all(closed);
});

test('fetchContent: admit is called before bytes are stored and may reject', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.end(Buffer.alloc(9_000)));
  let admitted = 0;
  const count = (bytes: number) => {
    admitted += bytes;
  };
  assert.equal((await get(t, url, { admit: count })).bytes.length, 9_000);
  assert.equal(admitted, 9_000);
  const reason = new RangeError('no room');
  const refuse = () => {
    throw reason;
  };
  assert.equal(await rejectionOf(get(t, url, { admit: refuse })), reason);
});

test('fetchContent: a body one byte too large is refused, announced or not', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    const size = Number(request.url?.slice(2));
    if (request.url?.startsWith('/d')) response.setHeader('content-length', size);
    response.write(Buffer.alloc(size));
    response.end();
  });
  for (const kind of ['d', 'u']) {
    assert.equal((await get(t, `${url}/${kind}10000`)).bytes.length, 10_000);
    assert.match(await refusalOf(get(t, `${url}/${kind}10001`)), /more than 10000 bytes/);
  }
});

test('fetchContent: an announced length beyond the limit fails at once', async (t) => {
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-length': 10_001 }).flushHeaders();
  });
  assert.match(await refusalOf(get(t, url)), /more than 10000 bytes/);
});

test('fetchContent: bodies of redirects and errors are not read', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { url } = await startServer(t, (request, response) => {
    closed.push(once(response, 'close'));
    const [status, location] = request.url === '/' ? [302, '/gone'] : [404, undefined];
    response.writeHead(status, location ? { location } : {}).write('no end of it');
  });
  assert.match(await refusalOf(get(t, url)), /status 404/);
  assert.equal(closed.length, 2);
  await Promise.all(closed);
});

test('fetchContent: an endless body is aborted at the limit', async (t) => {
  const closed = Promise.withResolvers<void>();
  const { url } = await startServer(t, (_request, response) => {
    response.on('close', closed.resolve);
    pour(response);
  });
  assert.match(await refusalOf(get(t, url)), /more than 10000 bytes/);
  await closed.promise;
});

for (const [where, answer] of Object.entries<http.RequestListener>({
  'before the headers': () => undefined,
  'within the body': (_request, response) => response.writeHead(200).write('begun'),
  'within a redirect': (request, response) => {
    if (request.url === '/') response.writeHead(302, { location: '/next' }).write('moved');
  },
})) {
  test(`fetchContent: a timeout ${where} aborts the fetch`, async (t) => {
    const closed: Promise<unknown>[] = [];
    const { url } = await startServer(t, (request, response) => {
      closed.push(once(response, 'close'));
      answer(request, response);
    });
    assert.match(await refusalOf(get(t, url, { timeoutMs: 200 })), /did not answer within 200 ms/);
    await Promise.all(closed);
  });
}

test('fetchContent: an abort rejects with its reason', async (t) => {
  const { url } = await startServer(t, (_request, response) => response.writeHead(200).write('begun'));
  for (const after of [0, 1, 5, 20]) {
    const leaving = new AbortController();
    const reason = new Error('gone');
    const error = rejectionOf(get(t, url, { signal: leaving.signal }));
    await wait(after);
    leaving.abort(reason);
    assert.equal(await error, reason);
  }
  await assert.rejects(get(t, url, { signal: AbortSignal.abort() }), { name: 'AbortError' });
});
