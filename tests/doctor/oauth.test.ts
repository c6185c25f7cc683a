import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { findingsOfOAuth } from '../../src/doctor/oauth.ts';
import { testApp } from '../support/app.ts';

const host = '127.0.0.1';

/** A proxy that goes wrong, in front of a real server. */
async function proxied(t: TestContext, path: string, change: (request: { url: string }) => RequestListener | null) {
  const server = createServer(async (request, response) => {
    const own = change({ url: request.url ?? '' });
    if (own) return own(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const target = `${app.url}${(request.url ?? '').replace(path, '')}`;
    const answer = await fetch(target, {
      method: request.method ?? 'GET',
      headers: { host: new URL(base).host, 'content-type': String(request.headers['content-type'] ?? 'text/plain') },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const base = `http://${host}:${(server.address() as AddressInfo).port}${path}`;
  const app = await testApp(t, { publicUrl: base });
  return { base, found: () => findingsOfOAuth({ publicUrl: base, host }, app.url) };
}

test('findingsOfOAuth: a host finds the way to a running server', async (t) => {
  const { url } = await testApp(t);
  assert.deepEqual(await findingsOfOAuth({ host }, url), [
    { check: 'OAuth', status: 'ok', message: `an MCP host finds at ${url}/mcp how to log in` },
  ]);
  assert.deepEqual(await findingsOfOAuth({ host }, null), [], 'no server runs');
});

test('findingsOfOAuth: says where it is off, and what would turn it on', async () => {
  const [insecure] = await findingsOfOAuth({ publicUrl: 'http://runtime.internal', host }, 'http://127.0.0.1:1');
  assert.match(insecure?.message ?? '', /OAuth is off: at http:\/\/runtime\.internal .*Use an https address/);
  const [open] = await findingsOfOAuth({ host: '0.0.0.0' }, null);
  assert.match(open?.message ?? '', /works only on this machine.*AGENT_RUNTIME_PUBLIC_URL/);
});

test('findingsOfOAuth: behind a path, whatever a proxy passes on is tried', async (t) => {
  const whole = await proxied(t, '/runtime', () => null);
  assert.equal((await whole.found())[0]?.status, 'ok');
  const rootOnly = (request: { url: string }): RequestListener | null =>
    request.url.startsWith('/runtime') ? null : (_request, response) => response.writeHead(404).end('not here');
  const [warning] = await (await proxied(t, '/runtime', rootOnly)).found();
  assert.equal(warning?.status, 'warning');
  assert.match(
    warning?.message ?? '',
    /well-known\/oauth-protected-resource\/runtime\/mcp and .* do not lead to this server/,
  );
});

test('findingsOfOAuth: a proxy that swallows something is named', async (t) => {
  const page: RequestListener = (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
  const bare: RequestListener = (_request, response) => response.writeHead(401).end('{}');
  for (const [part, answer, message] of [
    ['/mcp', page, /answers 200 to a request without credentials/],
    ['/mcp', bare, /has no WWW-Authenticate with resource_metadata/],
    ['/.well-known/oauth-protected-resource', page, /answers 200 and no JSON: pass on \/\.well-known/],
    ['/.well-known/o', page, /answers 200 and no JSON|none of/],
    ['/oauth/token', page, /no error of OAuth: pass on POST requests below \/oauth/],
  ] as const) {
    const { found } = await proxied(t, '', ({ url }) => (url.startsWith(part) ? answer : null));
    const [finding] = await found();
    assert.equal(finding?.status, 'failed', part);
    assert.match(finding?.message ?? '', message, part);
  }
});

test('findingsOfOAuth: another public address than that of the running server', async (t) => {
  const { url } = await testApp(t, { publicUrl: 'https://runtime.example.com' });
  const [finding] = await findingsOfOAuth({ publicUrl: url, host }, url);
  assert.equal(finding?.status, 'failed');
  assert.match(finding?.message ?? '', /leads to https:\/\/runtime\.example\.com\S+, not to http:/);
});

test('findingsOfOAuth: an address that cannot be reached is a warning', async (t) => {
  const { url } = await testApp(t);
  const [finding] = await findingsOfOAuth({ publicUrl: 'https://runtime.invalid', host }, url);
  assert.equal(finding?.status, 'warning');
  assert.match(finding?.message ?? '', /https:\/\/runtime\.invalid cannot be reached from here \(ENOTFOUND|EAI/);
});
