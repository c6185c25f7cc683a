import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { routes } from '../../src/http/app.ts';
import { EVENTS } from '../support/app.ts';
import { type RawAnswer, rawRequest } from '../support/raw.ts';
import { appOfThisFile } from '../support/shared.ts';

const CONSOLE = 'https://console.example.com';
const appWithOrigins = appOfThisFile({ allowedOrigins: [CONSOLE, 'http://localhost:5173'] });
const appWithout = appOfThisFile();

const LISTS = `${EVENTS}/feed`;

const ask = (url: string, method: string, path: string, headers: Record<string, string>, body = '') =>
  rawRequest(url, method, path, { headers, body });

function preflight(url: string, path: string, origin: string, more: Record<string, string> = {}) {
  return ask(url, 'OPTIONS', path, { origin, 'access-control-request-method': 'POST', ...more });
}

const listOf = (value: unknown) => String(value).toLowerCase().split(/, ?/);
const corsHeadersOf = ({ headers }: RawAnswer) =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test('CORS: an allowed origin gets a preflight response without a key, for an hour', async () => {
  const { url } = await appWithOrigins();
  for (const path of [EVENTS, '/api/v1/portal/login', '/mcp', '/healthz']) {
    const answer = await preflight(url, path, CONSOLE, {
      'access-control-request-headers': 'content-type,x-api-key,authorization,idempotency-key,x-request-id,x-wait-for',
    });
    assert.equal(answer.status, 204, path);
    assert.equal(answer.headers['access-control-allow-origin'], CONSOLE);
    const headers = listOf(answer.headers['access-control-allow-headers']);
    for (const name of [
      'content-type',
      'x-api-key',
      'authorization',
      'idempotency-key',
      'x-request-id',
      'x-wait-for',
    ]) {
      assert.ok(headers.includes(name), name);
    }
    const methods = listOf(answer.headers['access-control-allow-methods']);
    for (const method of new Set(routes.map((route) => route.method))) assert.ok(methods.includes(method), method);
    assert.equal(answer.headers['access-control-max-age'], '3600');
    assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  }
});

test('CORS: headers beginning with mcp- are allowed, others are not', async () => {
  const { url } = await appWithOrigins();
  const asked = 'content-type,mcp-protocol-version,Mcp-Method,mcp-param-city,x-forwarded-for,mcp-!';
  const answer = await preflight(url, '/mcp', CONSOLE, { 'access-control-request-headers': asked });
  const headers = listOf(answer.headers['access-control-allow-headers']);
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-param-city']) assert.ok(headers.includes(name), name);
  assert.ok(!headers.includes('x-forwarded-for') && !headers.some((name) => /[^a-z-]/.test(name)));
});

test('CORS: an allowed origin reads responses and errors with their headers', async () => {
  const { url, key } = await appWithOrigins();
  const read = await ask(url, 'GET', LISTS, { origin: CONSOLE, 'x-api-key': key });
  const refused = await ask(url, 'GET', LISTS, { origin: 'http://localhost:5173' });
  const unknown = await ask(url, 'GET', '/nothing', { origin: CONSOLE });
  assert.deepEqual([read.status, refused.status, unknown.status], [200, 401, 404]);
  assert.equal(read.headers['access-control-allow-origin'], CONSOLE);
  assert.equal(refused.headers['access-control-allow-origin'], 'http://localhost:5173');
  assert.equal(unknown.headers['access-control-allow-origin'], CONSOLE);
  const exposed = listOf(read.headers['access-control-expose-headers']);
  const documented = routes.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
  for (const name of ['x-request-id', 'retry-after', ...documented]) assert.ok(exposed.includes(name), name);
  assert.ok(documented.includes('x-execution-id'));
});

test('CORS: a browser MCP client reads its responses', async () => {
  const { url, key } = await appWithOrigins();
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const answer = await ask(url, 'POST', '/mcp', { ...headers, origin: CONSOLE }, message);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers['access-control-allow-origin'], CONSOLE);
});

test('CORS: other origins get no headers, and responses vary by Origin', async () => {
  const { url, key } = await appWithOrigins();
  for (const origin of [
    'https://evil.example',
    `${CONSOLE}.evil.example`,
    'http://console.example.com',
    'null',
    '*',
    '',
  ]) {
    const asked = await preflight(url, LISTS, origin);
    const read = await ask(url, 'GET', LISTS, { origin, 'x-api-key': key });
    assert.deepEqual([asked.status, read.status], [405, 200], origin);
    assert.deepEqual([...corsHeadersOf(asked), ...corsHeadersOf(read)], [], origin);
    assert.match(String(read.headers.vary), /Origin/);
  }
  const withoutOrigin = await ask(url, 'GET', LISTS, { 'x-api-key': key });
  assert.deepEqual(corsHeadersOf(withoutOrigin), []);
  assert.match(String(withoutOrigin.headers.vary), /Origin/);
});

test('CORS: an OPTIONS request that is no preflight is 405', async () => {
  const { url } = await appWithOrigins();
  assert.equal((await ask(url, 'OPTIONS', LISTS, { origin: CONSOLE })).status, 405);
});

test('CORS: without configured origins no CORS header is sent', async () => {
  const { url, key } = await appWithout();
  for (const origin of [CONSOLE, 'http://localhost:5173', 'null', '*']) {
    const asked = await preflight(url, LISTS, origin);
    const read = await ask(url, 'GET', LISTS, { origin, 'x-api-key': key });
    assert.deepEqual([asked.status, read.status], [405, 200]);
    assert.deepEqual([...corsHeadersOf(asked), ...corsHeadersOf(read)], []);
    assert.equal(read.headers.vary, undefined);
  }
});

test('security headers: every response has them', async () => {
  const { url } = await appWithout();
  for (const path of ['/docs', '/healthz', LISTS, '/nothing']) {
    const { headers } = await ask(url, 'GET', path, {});
    assert.match(
      String(headers['content-security-policy']),
      /default-src 'self'.*frame-ancestors 'self'.*object-src 'none'.*script-src 'self'/,
    );
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['x-frame-options'], 'SAMEORIGIN');
    assert.equal(headers['referrer-policy'], 'no-referrer');
    assert.match(String(headers['strict-transport-security']), /^max-age=\d{8}/);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
    assert.equal(headers['x-powered-by'], undefined, path);
    assert.ok(headers['x-request-id']);
  }
});

test('security headers: docs/configuration.md names every header that helmet sends', async () => {
  const { url } = await appWithout();
  const { headers } = await ask(url, 'GET', '/healthz', {});
  const readme = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8').toLowerCase();
  const usual = ['x-request-id', 'content-type', 'content-length', 'date', 'connection', 'keep-alive'];
  const sent = Object.keys(headers).filter((name) => !usual.includes(name));
  assert.ok(sent.length >= 12, String(sent));
  for (const name of sent) assert.ok(readme.includes(`\`${name}`), name);
});

test('request headers: above the size limit they are 431 before any handler', async () => {
  const { url, key } = await appWithout();
  const answer = await ask(url, 'GET', LISTS, { 'x-api-key': key, 'x-long': 'a'.repeat(17 * 1024) });
  assert.equal(answer.status, 431);
});
