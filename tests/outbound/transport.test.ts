import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { CallPolicy } from '../../src/core/agents/connectors/call/transport.ts';
import { makeTransport } from '../../src/outbound/transport.ts';
import { rejectionOf, startServer, testDispatchers } from './support.ts';
import { faultOf, LOOPBACK, send, startSpeaker, told } from './transport-support.ts';

const WORDS = 'Olá, mundo. '.repeat(500);

test('Transport: sends method, path, query, headers and body, accepts compression', async (t) => {
  const { url } = await startServer(t, async (request, response) => {
    const { method, url: path, headers } = request;
    response.end(JSON.stringify({ method, path, headers, body: await text(request) }));
  });
  const sent = { method: 'POST', headers: ['X-Key', 'k', 'Accept-Encoding', 'zstd'], body: '{"a":"á"}' };
  const { status, body } = await send(t, `${url}/pets/%2F?a=1&b=%20#part`, sent);
  const { headers, ...received } = JSON.parse(body.toString());
  assert.equal(status, 200);
  assert.deepEqual(received, { method: 'POST', path: '/pets/%2F?a=1&b=%20', body: '{"a":"á"}' });
  assert.deepEqual(
    [headers['x-key'], headers['accept-encoding'], headers['user-agent'], headers['content-length']],
    ['k', 'gzip, deflate, br', 'agent-runtime', '10'],
  );
});

test('Transport: the user agent of the request overrides the default', async (t) => {
  const { url } = await startServer(t, (request, response) => response.end(request.headers['user-agent']));
  assert.equal((await send(t, url, { headers: ['User-Agent', 'mine'] })).body.toString(), 'mine');
});

test('Transport: a large body is sent whole', async (t) => {
  const { url } = await startServer(t, async (request, response) => response.end(String((await text(request)).length)));
  const { body } = await send(t, url, { method: 'PUT', body: 'x'.repeat(3_000_000) });
  assert.equal(body.toString(), '3000000');
});

for (const [coding, compress] of Object.entries({
  gzip: gzipSync,
  'X-GZip': gzipSync,
  br: brotliCompressSync,
  deflate: deflateSync,
  'deflate ': deflateRawSync,
  'identity, gzip': gzipSync,
  identity: (bytes: Buffer) => bytes,
  '': (bytes: Buffer) => bytes,
})) {
  test(`Transport: a body compressed as "${coding}" is decompressed`, async (t) => {
    const { url } = await startServer(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(compress(Buffer.from(WORDS)));
    });
    assert.equal((await send(t, url)).body.toString(), WORDS);
  });
}

test('Transport: an invalid, cut, unknown or trailed compression is undecodable', async (t) => {
  const whole = gzipSync(WORDS);
  const answers: Record<string, [string, Buffer]> = {
    '/other': ['gzip', Buffer.from('this is no gzip')],
    '/more': ['gzip', Buffer.concat([whole, Buffer.from('junk')])],
    '/more-brotli': ['br', Buffer.concat([brotliCompressSync(WORDS), Buffer.from('junk')])],
    '/unknown': ['zstd', whole],
    '/member': ['constructor', whole],
    '/twice': ['gzip, gzip', gzipSync(whole)],
    '/long': ['\u00ff'.repeat(200), whole],
  };
  const { url } = await startServer(t, (request, response) => {
    const [coding, bytes] = answers[request.url!] ?? ['gzip', whole.subarray(0, -5)];
    response.writeHead(201, { 'content-encoding': coding });
    // Only what breaks off ends.
    if (request.url === '/cut') response.end(bytes);
    else response.write(bytes);
  });
  for (const path of [...Object.keys(answers), '/cut']) {
    const fault = await faultOf(send(t, url + path));
    assert.deepEqual(told(fault), ['undecodable', true, 201], path);
    assert.match(fault.message, /could not be decompressed as "[ -~]{2,40}"/, path);
  }
});

test('Transport: a response without a body is not read or decompressed', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    const status = Number(request.url!.slice(1));
    response.writeHead(status, {
      'content-encoding': 'gzip',
      ...(status === 204 ? {} : { 'content-length': 200_000 }),
    });
    response.end();
  });
  const empty = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 0 }).end();
  });
  for (const [method, address] of [
    ['HEAD', `${url}/200`],
    ['GET', `${url}/204`],
    ['GET', `${url}/304`],
    ['GET', empty.url],
  ]) {
    assert.equal((await send(t, address!, { method: method! })).body.length, 0, address);
  }
});

test('Transport: every status comes with its body, redirects too', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    response.writeHead(Number(request.url!.slice(1)), { location: 'http://elsewhere.test/' }).end('why');
  });
  for (const status of [200, 202, 301, 302, 307, 400, 401, 404, 418, 429, 500, 503, 599]) {
    const answer = await send(t, `${url}/${status}`);
    assert.deepEqual([answer.status, answer.body.toString()], [status, 'why']);
    assert.equal(answer.headers.location, 'http://elsewhere.test/');
  }
});

test('Transport: informational responses are skipped', async (t) => {
  const { url } = await startSpeaker(t, (socket) => {
    socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
  });
  const { status, headers, body } = await send(t, url);
  assert.deepEqual([status, headers.link, body.toString()], [200, undefined, 'ok']);
});

for (const [what, bytes, told_] of [
  ['nothing', '', [null, /broke the connection off/]],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', [null, /no HTTP/]],
  ['half of its head', 'HTTP/1.1 200 OK\r\ncontent-le', [null, /broke the connection off/]],
  ['less than it said', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nless', [200, /more or less|broke/]],
  ['no last chunk', 'HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n4\r\nless\r\n', [500, /broke|no HTTP/]],
  [
    'two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc',
    [null, /no HTTP|more or less/],
  ],
  ['too many headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, [null, /more headers/]],
  ['another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', [null, /broke/]],
] as const) {
  test(`Transport: a server that sends ${what} and ends is a broken connection`, async (t) => {
    const { url } = await startSpeaker(t, (socket) => socket.end(bytes));
    const [status, message] = told_;
    const fault = await faultOf(send(t, url, { method: 'POST', body: '{}' }));
    assert.deepEqual(told(fault), ['broken', true, status]);
    assert.match(fault.message, message);
    assert.doesNotMatch(fault.message, /127\.0/);
  });
}

test('Transport: an unsolicited second response never answers the next call', async (t) => {
  const answer = (words: string) => `HTTP/1.1 200 OK\r\ncontent-length: ${words.length}\r\n\r\n${words}`;
  const ended: Promise<unknown>[] = [];
  const { url } = await startSpeaker(t, (socket, request) => {
    if (request.startsWith('GET /next')) return socket.write(answer('next'));
    ended.push(once(socket, 'close'));
    if (request.startsWith('GET /at-once')) socket.write(answer('mine') + answer('evil'));
    else socket.write(answer('mine'), () => setImmediate(() => socket.write(answer('evil'))));
  });
  const connections = testDispatchers(t);
  for (const path of ['/at-once', '/later']) {
    assert.equal((await send(t, url + path, { connections })).body.toString(), 'mine');
    await ended.pop();
    for (let calls = 0; calls < 3; calls += 1) {
      assert.equal((await send(t, `${url}/next`, { connections })).body.toString(), 'next', path);
    }
  }
});

test('Transport: a failed connection or lookup reports that nothing was sent', async (t) => {
  const server = await startServer(t, () => undefined);
  server.server.close();
  await once(server.server, 'close');
  const fault = await faultOf(send(t, server.url));
  assert.deepEqual(told(fault), ['unreachable', false, null]);
  assert.match(fault.message, /^the host could not be reached \(ECONNREFUSED\)\.$/);
});

test('Transport: a reused connection that closes reports maybeSent', async (t) => {
  const { url } = await startSpeaker(t, (socket, request) => {
    if (request.startsWith('GET /first')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    else socket.resetAndDestroy();
  });
  const connections = testDispatchers(t);
  await send(t, `${url}/first`, { connections });
  const fault = await faultOf(send(t, `${url}/second`, { method: 'POST', body: '{}', connections }));
  assert.deepEqual(told(fault), ['broken', true, null]);
});

test('Transport: the signal ends connecting, waiting, receiving and decompressing', async (t) => {
  const closed: Promise<unknown>[] = [];
  const { url, server } = await startServer(t, (request, response) => {
    closed.push(once(response, 'close'));
    if (request.url === '/body') response.writeHead(200).write('begun');
    if (request.url === '/gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(WORDS).subarray(0, 20));
    }
    server.emit('asked');
  });
  for (const path of ['/silent', '/body', '/gzip']) {
    const leaving = new AbortController();
    const asked = once(server, 'asked');
    const rejection = rejectionOf(send(t, url + path, { signal: leaving.signal }));
    await asked;
    const reason = new Error(`left ${path}`);
    leaving.abort(reason);
    assert.equal(await rejection, reason);
  }
  await Promise.all(closed);
  const unconnected = testDispatchers(t, { lookup: () => undefined });
  const leaving = new AbortController();
  const rejection = rejectionOf(send(t, 'http://slow.test/', { signal: leaving.signal, connections: unconnected }));
  leaving.abort(new Error('left'));
  assert.equal((await rejection).message, 'left');
  await assert.rejects(send(t, url, { signal: AbortSignal.abort(new Error('before')) }), /before/);
});

test('Transport: connections are per tenant and networks, and reused', async (t) => {
  const server = await startServer(t, (_request, response) => response.end('ok'));
  const transport = makeTransport({ connections: testDispatchers(t) });
  const policies: CallPolicy[] = [
    LOOPBACK,
    { ...LOOPBACK, tenantId: 'another' },
    { ...LOOPBACK, allowPrivateNetworks: ['127.0.0.1/32'] },
    { tenantId: '["tenant"', allowPrivateNetworks: LOOPBACK.allowPrivateNetworks },
  ];
  for (const [index, policy] of policies.entries()) {
    for (let calls = 0; calls < 3; calls += 1) {
      await send(t, server.url, { policy, transport });
      // The connection is free again in the next turn.
      await turn();
    }
    assert.equal(server.connections, index + 1);
  }
  const reversed = { ...LOOPBACK, allowPrivateNetworks: [...LOOPBACK.allowPrivateNetworks].reverse() };
  await send(t, server.url, { policy: reversed, transport });
  assert.equal(server.connections, policies.length);
});

test('Transport: as many concurrent calls as one connector may make', async (t) => {
  const calls = 500;
  const waiting: (() => void)[] = [];
  const { url } = await startServer(t, (_request, response) => {
    waiting.push(() => response.end('ok'));
    if (waiting.length === calls) for (const answer of waiting) answer();
  });
  const transport = makeTransport({ connections: testDispatchers(t) });
  const answers = await Promise.all(Array.from({ length: calls }, () => send(t, url, { transport })));
  assert.ok(answers.every(({ body }) => body.toString() === 'ok'));
});
