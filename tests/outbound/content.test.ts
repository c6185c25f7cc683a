import assert from 'node:assert/strict';
import { once } from 'node:events';
import type http from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Agent } from 'undici';
import { get, refusalOf } from './content-support.ts';
import { lookupOf, pour, rejectionOf, SEEMS_PUBLIC, startServer, testDispatchers } from './support.ts';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

test('fetchContent: resolves with the bytes and their media type', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    assert.match(request.headers['user-agent'] ?? '', /agent-runtime/);
    const type = { '/png': 'Image/PNG; name=x', '/none': '' }[request.url ?? ''];
    response.writeHead(200, type ? { 'content-type': type } : {}).end(PNG);
  });
  assert.deepEqual(await get(t, `${url}/png`), { contentType: 'image/png', bytes: PNG });
  assert.deepEqual(await get(t, `${url}/none`), { contentType: 'application/octet-stream', bytes: PNG });
});

test('fetchContent: a status other than 2xx is refused', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    response.writeHead(Number(request.url?.slice(1))).end('no image');
  });
  for (const status of [302, 304, 400, 401, 404, 500]) {
    assert.match(await refusalOf(get(t, `${url}/${status}`)), new RegExp(`answered with status ${status}$`));
  }
});

test('fetchContent: three redirects are followed, a fourth is not', async (t) => {
  const { url } = await startServer(t, (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left > 0) response.writeHead(301 + (left % 3), { location: `./${left - 1}` }).end('moved');
    else response.end(PNG);
  });
  assert.deepEqual((await get(t, `${url}/3`)).bytes, PNG);
  assert.match(await refusalOf(get(t, `${url}/4`)), /redirects more than 3 times/);
});

test('fetchContent: a redirect passes the SSRF guard without revealing its address', async (t) => {
  const within = await startServer(t, (_request, response) => response.end('within'));
  const targets = [
    `http://127.0.0.1:${within.port}/`,
    `http://localhost:${within.port}/`,
    `http://0x7f.1:${within.port}/`,
    `//127.1:${within.port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://inside.test/',
  ];
  const { url } = await startServer(
    t,
    (request, response) => response.writeHead(302, { location: targets[Number(request.url?.slice(1))] }).end(),
    SEEMS_PUBLIC,
  );
  const lookup = lookupOf({ 'inside.test': [['10.9.8.7']], localhost: [['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup, mayReach: (address) => address === SEEMS_PUBLIC });
  for (const index of targets.keys()) {
    const fetched = get(t, `${url}/${index}`, { allowPrivateNetwork: false }, connections);
    const message = await refusalOf(fetched);
    assert.match(message, /^127\.0\.0\.2:\d+ is not at a public address, or leads to one that is not/);
    assert.doesNotMatch(message, /127\.0\.0\.1|169\.254|10\.9|inside|localhost/);
  }
  assert.equal(within.connections, 0);
});

test('fetchContent: only http and https without credentials, also after redirects', async (t) => {
  const refused = {
    'file:///etc/passwd': /not file:/,
    'data:image/png;base64,AAAA': /not data:/,
    'ftp://127.0.0.1/': /not ftp:/,
    'blob:nodedata:1': /not blob:/,
    'http://someone@127.0.0.1:1/': /user name or a password/,
    'http://:secret@127.0.0.1:1/': /user name or a password/,
    'http://a:b@[::1]:1/': /user name or a password/,
  };
  const locations = [...Object.keys(refused), 'http://'];
  const { url } = await startServer(t, (request, response) => {
    response.writeHead(302, { location: locations[Number(request.url?.slice(1))] }).end();
  });
  for (const [index, [address, reason]] of Object.entries(refused).entries()) {
    assert.match(await refusalOf(get(t, address)), reason);
    assert.match(await refusalOf(get(t, `${url}/${index}`)), reason);
  }
  for (const address of ['http://', '/relative.png']) {
    assert.match(await refusalOf(get(t, address)), /full http and https/);
  }
  assert.match(await refusalOf(get(t, `${url}/${locations.indexOf('http://')}`)), /redirects to an invalid address/);
});

test('fetchContent: a redirect from https to http is refused', async (t) => {
  const asked: (string | undefined)[] = [];
  const { port } = await startServer(t, (request, response) => {
    asked.push(request.url);
    if (request.url === '/down') response.writeHead(302, { location: 'http://site.test/' }).end();
    else if (request.url === '/on') response.writeHead(302, { location: '/image' }).end();
    else response.end(PNG);
  });
  // Like a request to an https address, but without TLS, which would need a certificate.
  const agent = new Agent({ connect: (_options, callback) => connected(port, callback) });
  t.after(() => agent.destroy());
  const connections = { ...testDispatchers(t), dispatcherFor: () => agent };
  assert.deepEqual((await get(t, 'https://site.test/on', {}, connections)).bytes, PNG);
  assert.match(await refusalOf(get(t, 'https://site.test/down', {}, connections)), /from https to http/);
  assert.deepEqual(asked, ['/on', '/image', '/down']);
});

test('fetchContent: a network error is reported by its code, without an address', async (t) => {
  const { url } = await startServer(t, (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
  });
  const closed = await startServer(t, () => undefined);
  closed.server.close();
  const lookup = lookupOf({ 'closed.test': [['127.0.0.1']] });
  const connections = testDispatchers(t, { lookup });
  const [unknown, refused] = ['http://unknown.test/', `http://closed.test:${closed.port}/`];
  assert.equal(await refusalOf(get(t, unknown, {}, connections)), 'unknown.test could not be fetched (ENOTFOUND)');
  assert.match(await refusalOf(get(t, refused, {}, connections)), /^closed\.test:\d+ could not .* \(ECONNREFUSED\)$/);
  assert.match(await refusalOf(get(t, url)), /could not be fetched \(Z_DATA_ERROR\)/);
});

test('fetchContent: an unknown name is reported like a blocked one', async (t) => {
  const lookup = lookupOf({ 'inside.test': [['10.9.8.7']] });
  const connections = testDispatchers(t, { lookup });
  const messages = [];
  for (const host of ['unknown.test', 'inside.test']) {
    const message = await refusalOf(get(t, `http://${host}/`, { allowPrivateNetwork: false }, connections));
    messages.push(message.replace(host, ''));
  }
  assert.match(messages[0]!, /^ is not at a public address/);
  assert.equal(messages[0], messages[1]);
});

function connected(port: number, callback: (...result: [null, ReturnType<typeof connect>]) => void): void {
  const socket = connect(port, '127.0.0.1', () => callback(null, socket));
}

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
