import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tools } from '../../src/tools/server.ts';
import { testApp } from '../support/app.ts';
import { JSON_HEADERS, listTools, message, rpc } from './mcp-requests.ts';
import { sharedApp } from './support.ts';

test('/mcp: malformed requests get JSON-RPC or HTTP errors, never a 5xx', async () => {
  const app = await sharedApp();
  const bodies: [string, number][] = [
    ['{', 400],
    ['null', 400],
    ['7', 400],
    ['[]', 400],
    ['{}', 400],
    ['{"jsonrpc":"1.0","id":1,"method":"tools/list"}', 400],
    [message('tools/call', 'x'), 400],
    [message('tools/list', { padding: 'x'.repeat(1_100_000) }), 413],
  ];
  for (const [body, expected] of bodies) {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'x-api-key': app.key },
      body,
    });
    assert.equal(response.status, expected, `${body.slice(0, 200)}: ${await response.text()}`);
  }
  for (const [method, params, code] of [
    ['tools/nothing', {}, -32601],
    ['resources/read', { uri: 'file:///etc/passwd' }, -32602],
    ['tools/call', { name: 'no_such_tool' }, -32602],
    ['tools/call', { name: '__proto__' }, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'aggregate_events', arguments: 'x' }, -32602],
    ['tools/call', { name: 'aggregate_events', arguments: [] }, -32602],
  ] as const) {
    const { error, result } = await rpc(app, method, params);
    assert.equal(result, undefined);
    assert.equal(error.code, code, `${method} ${JSON.stringify(params)}`);
  }
});

test('/mcp: deeply nested arguments are refused as input, not as internal errors', async () => {
  const app = await sharedApp();
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  for (const args of [
    `{"eventName":${deep},"aggregation":"count"}`,
    `{"eventName":"a","aggregation":"count","filters":[{"propertyKey":"a","operator":"exists","value":${deep}}]}`,
  ]) {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'x-api-key': app.key },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"aggregate_events","arguments":${args}}}`,
    });
    const text = await response.text();
    assert.ok(response.status < 500, `${response.status}: ${text}`);
    assert.doesNotMatch(text, /[Ii]nternal/);
  }
  assert.equal((await listTools(app)).length, tools.length);
});

test('/mcp: each message of a batch counts for the rate limit', async (t) => {
  const app = await testApp(t, { rateLimit: 60, rateLimitBurst: 20 });
  const batch = `[${Array.from({ length: 50 }, () => message('ping')).join()}]`;
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'x-api-key': app.key },
    body: batch,
  });
  assert.equal(response.status, 429);
});

test('/mcp: methods that Streamable HTTP without sessions lacks are 405 with Allow', async () => {
  const app = await sharedApp();
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${app.url}/mcp`, { method, headers: { ...JSON_HEADERS, 'x-api-key': app.key } });
    assert.equal(response.status, 405, method);
    assert.match(response.headers.get('allow') ?? '', /POST/);
  }
});

test('/mcp: a rate-limited request is 429 with Retry-After', async (t) => {
  const app = await testApp(t, { rateLimit: 60, rateLimitBurst: 2 });
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const statuses: number[] = [];
  for (let index = 0; index < 4; index++) {
    const response = await fetch(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...JSON_HEADERS, 'x-api-key': key },
      body: message('tools/list'),
    });
    statuses.push(response.status);
    if (response.status === 429) assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
    await response.text();
  }
  assert.ok(statuses.includes(200) && statuses.includes(429), statuses.join());
});
