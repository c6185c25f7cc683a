import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import express from 'express';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { mountPortal } from '../../src/http/portal.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { scopeOfThisFile } from '../support/shared.ts';

let started: Promise<TestApp> | undefined;
const wholeFile = scopeOfThisFile();
const sharedApp = () => {
  started ??= testApp(wholeFile);
  return started;
};

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

async function page(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(app.url + path, { headers: { accept: BROWSER, ...headers }, redirect: 'manual' });
}

test('Portal: browsers get its page at every path that is not another thing', async () => {
  const app = await sharedApp();
  for (const path of ['/', '/login', '/cards/0199f3a2', '/events/query?question=%7B%7D', '/no/such/page']) {
    const response = await page(app, path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type')!, /^text\/html/);
    assert.match(await response.text(), /<div id="root">/);
  }
  for (const path of ['/API/v1/no', '/api/v1/no', '/mcp/no', '/.well-known/no', '/oauth/no', '/assets/no.js']) {
    const response = await page(app, path);
    const body = (await response.json()) as { statusCode: number };
    assert.deepEqual([response.status, body.statusCode], [404, 404], path);
  }
});

test('Portal: programs that do not ask for HTML get the documentation', async () => {
  const app = await sharedApp();
  const root = await page(app, '/', { accept: '*/*' });
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/docs']);
  for (const accept of ['*/*', 'text/html;q=0, */*', 'application/json']) {
    const response = await page(app, '/login', { accept });
    assert.equal(response.status, 404, accept);
    assert.match(response.headers.get('vary')!, /\bAccept\b/);
  }
  for (const path of ['/assets/index.js', '/theme.js', '/favicon.svg']) {
    assert.equal((await fetch(app.url + path, { method: 'POST' })).status, 405, path);
  }
  assert.equal((await fetch(`${app.url}/`, { method: 'POST' })).status, 405);
});

test('Portal: the page allows no other origin, no inline script and no frame', async () => {
  const { headers } = await page(await sharedApp(), '/');
  const policy = headers.get('content-security-policy')!;
  for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
    assert.ok(policy.split('; ').includes(part), part);
  }
  assert.match(policy, /require-trusted-types-for 'script'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(headers.get('cache-control'), 'no-cache');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('Portal: files with a hash are cached for good, in the best encoding', async () => {
  const app = await sharedApp();
  const [, script] = /href="(\/assets\/shared-[^"]+\.js)"/.exec(await (await page(app, '/')).text())!;
  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { headers, bytes } = await raw(app, script!, accepted);
    assert.equal(headers['content-encoding'], encoding);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.match(headers['content-type']!, /^text\/javascript/);
    assert.ok(encoding === undefined ? bytes > 150_000 : bytes < 65_000, `${accepted}: ${bytes} bytes`);
  }
});

test('Portal: no path leads out of its directory', async () => {
  const app = await sharedApp();
  for (const path of ['/assets/../../package.json', '/assets/..%2f..%2fpackage.json', '/assets/%2e%2e/.built']) {
    const { status } = await raw(app, path, 'identity');
    assert.ok([400, 404].includes(status), `${path}: ${status}`);
  }
});

test('Portal: below a path of a proxy, the page refers to that path', async (t) => {
  const app = await testApp(t, { publicUrl: 'https://example.com/tools/runtime' });
  const html = await (await page(app, '/events')).text();
  for (const attribute of ['src="/tools/runtime/assets/', 'href="/tools/runtime/favicon.svg"']) {
    assert.ok(html.includes(attribute), attribute);
  }
  assert.match(html, /name="base-path" content="\/tools\/runtime\/"/);
  const root = await page(app, '/', { accept: '*/*' });
  assert.equal(root.headers.get('location'), '/tools/runtime/docs');
});

test('Portal: where its pages cannot be built, browsers are told why', async (t) => {
  const app = express();
  const reason = new RuntimeError('unavailable', 'The pages could not be built: Error: <b>');
  mountPortal(app, { find: () => Promise.reject(reason) }, '/tools/');
  const server = app.listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const response = await fetch(url, { headers: { accept: BROWSER } });
  assert.equal(response.status, 503);
  assert.match(response.headers.get('content-type')!, /^text\/html/);
  const html = await response.text();
  assert.ok(html.includes('The pages could not be built: Error: &lt;b&gt;'));
  assert.ok(html.includes('href="/tools/docs/plain"'));
  const program = await fetch(url, { headers: { accept: '*/*' }, redirect: 'manual' });
  assert.equal(program.headers.get('location'), '/tools/docs');
});

/** `fetch` would unpack the body and tidy the path. */
function raw(app: TestApp, path: string, encoding: string) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string>; bytes: number }>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const request = rawRequest({ hostname, port, path, headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers as NodeJS.Dict<string>, bytes }),
      );
    });
    request.on('error', reject).end();
  });
}
