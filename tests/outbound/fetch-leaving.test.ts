import assert from 'node:assert/strict';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { bodyOf, guardedFetch, streamingFetch } from '../../src/outbound/fetch.ts';
import { rejectionOf, startServer, testDispatchers } from './support.ts';

const ANYWHERE = { allowPrivateNetwork: true };

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
