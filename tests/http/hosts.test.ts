import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type TestApp, testApp } from '../support/app.ts';
import { PORTAL } from '../support/people.ts';
import { rawRequest } from '../support/raw.ts';
import { scopeOfThisFile } from '../support/shared.ts';

let started: Promise<TestApp> | undefined;
const wholeFile = scopeOfThisFile();
const sharedApp = () => {
  started ??= testApp(wholeFile, {
    allowedHosts: ['runtime.internal'],
    publicUrl: 'https://runtime.example.com',
    allowedOrigins: ['https://console.example.com'],
    trustedProxies: '127.0.0.1',
  });
  return started;
};

const DOORS: [method: string, path: string][] = [
  ['GET', '/'],
  ['GET', '/docs'],
  ['GET', '/openapi.json'],
  ['GET', '/metrics'],
  ['GET', '/healthz'],
  ['GET', '/readyz'],
  ['POST', '/mcp'],
  ['POST', `${PORTAL}/login`],
  ['GET', `${PORTAL}/me`],
  ['GET', '/api/v1/runtime/v1/observability/events/feed'],
  ['OPTIONS', `${PORTAL}/login`],
  ['GET', '/there/is/nothing/here'],
];

const REBOUND = [
  ...['evil.example', 'evil.example:3000', 'localhost.evil.example', 'localhost.'],
  ...['127.0.0.1.evil.example', 'runtime.internal.evil.example'],
];

test('checkHost: a rebound name is refused at every path, preflights included', async () => {
  const app = await sharedApp();
  for (const [method, path] of DOORS) {
    for (const host of REBOUND) {
      const headers = { host, origin: 'https://console.example.com', 'access-control-request-method': 'POST' };
      const answer = await send(app, { method, path, headers });
      const where = `${method} ${path} of ${host}`;
      assert.equal(answer.status, 403, where);
      assert.deepEqual(
        [answer.body.statusCode, answer.body.error, answer.headers['access-control-allow-origin']],
        [403, 'Forbidden', undefined],
        where,
      );
      assert.match(answer.body.message, /AGENT_RUNTIME_PUBLIC_URL .*AGENT_RUNTIME_ALLOWED_HOSTS/);
    }
  }
});

test('checkHost: loopback names, IP literals and allowed names pass at every path', async () => {
  const app = await sharedApp();
  const hosts = ['localhost', 'LOCALHOST:99', '127.0.0.1', '10.0.0.7:3000', '[::1]:3000', '[2001:db8::1]'];
  for (const [method, path] of DOORS) {
    for (const host of [...hosts, 'runtime.internal', 'Runtime.Example.com:443']) {
      const { status } = await send(app, { method, path, headers: { host } });
      assert.notEqual(status, 403, `${method} ${path} of ${host}`);
    }
  }
});

test('checkHost: every host of a request counts, not only Host', async () => {
  const app = await sharedApp();
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await send(app, { method: 'GET', path, headers })).status;
  assert.equal(await statusOf('/docs', { host: 'localhost', 'x-forwarded-host': 'evil.example' }), 403);
  assert.equal(await statusOf('/docs', { host: 'evil.example', 'x-forwarded-host': 'localhost' }), 403);
  assert.equal(await statusOf('/docs', { host: 'localhost', 'x-forwarded-host': 'runtime.example.com, a' }), 200);
  assert.equal(await statusOf('http://evil.example/docs', { host: 'localhost' }), 403);
  assert.equal(await statusOf('http://localhost@evil.example/docs', { host: 'localhost' }), 403);
  assert.equal(await statusOf('http://runtime.internal/docs', { host: 'localhost' }), 200);
});

test('checkHost: X-Forwarded-Host of an untrusted peer is ignored', async (t) => {
  const app = await testApp(t, { trustedProxies: '10.0.0.0/8' });
  const headers = { host: 'localhost', 'x-forwarded-host': 'evil.example' };
  assert.equal((await send(app, { method: 'GET', path: '/docs', headers })).status, 200);
});

test('checkHost: without Host only the health probes of HTTP/1.0 are answered', async () => {
  const app = await sharedApp();
  const statusOf = async (line: string) => /^HTTP\/1.1 (\d+)/.exec(await spoken(app, `${line}\r\n\r\n`))?.[1];
  assert.equal(await statusOf('GET /healthz HTTP/1.0'), '200');
  assert.equal(await statusOf('GET /metrics HTTP/1.0'), '403');
  assert.equal(await statusOf('GET /healthz HTTP/1.0\r\nhost: evil.example'), '403');
  assert.equal(await statusOf('GET /docs HTTP/1.1\r\nhost:'), '403');
  assert.equal(await statusOf('GET /docs HTTP/1.1\r\nconnection: close'), '400');
});

async function send({ url }: TestApp, { method, path, headers }: { method: string; path: string; headers: object }) {
  const answer = await rawRequest(url, method, path, { headers: { ...headers } });
  return { ...answer, body: answer.text.startsWith('{') ? JSON.parse(answer.text) : answer.text };
}

async function spoken(app: TestApp, text: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  socket.write(text.replace('HTTP/1.1\r\nhost:', 'HTTP/1.1\r\nconnection: close\r\nhost:'));
  return (await socket.toArray()).join('');
}
