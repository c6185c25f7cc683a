import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tools } from '../../src/tools/server.ts';
import { testApp } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { JSON_HEADERS, listTools, message, rpc, send } from './mcp-requests.ts';
import { answerOf, type Endpoint, MODERN, sharedApp, v1Client, v2Client } from './support.ts';

test('/mcp: without a key every method is 401 and names where to log in', async () => {
  const app = await sharedApp();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await fetch(`${app.url}/mcp`, {
      method,
      headers: JSON_HEADERS,
      body: method === 'POST' ? message('tools/list') : null,
    });
    assert.equal(response.status, 401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const metadata = `${app.url}/.well-known/oauth-protected-resource/mcp`;
    assert.equal(
      challenge,
      `Bearer realm="agent-runtime", scope="mcp:read knowledge:read", resource_metadata="${metadata}"`,
    );
    assert.equal(((await response.json()) as { statusCode: number }).statusCode, 401);
  }
});

test('/mcp: a key without mcp:read lists no tools and gets 403 with the scope', async () => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'hidden_event' }]);
  const key = await app.newKey({ scopes: ['events:read', 'events:write'] });
  assert.deepEqual(await listTools(app, key), []);
  const modern = {
    'mcp-protocol-version': MODERN,
    'mcp-method': 'tools/call',
    'mcp-name': 'aggregate_events',
  };
  const call = { name: 'aggregate_events', arguments: { eventName: 'hidden_event', aggregation: 'count' } };
  for (const headers of [{}, modern]) {
    for (const body of [message('tools/call', call), `[${message('tools/call', call)}]`]) {
      const response = await fetch(`${app.url}/mcp`, {
        method: 'POST',
        headers: { ...JSON_HEADERS, 'x-api-key': key, ...headers },
        body,
      });
      assert.equal(response.status, 403);
      const challenge = response.headers.get('www-authenticate') ?? '';
      assert.match(challenge, /^Bearer .*error="insufficient_scope", scope="mcp:read"/);
      assert.match(((await response.json()) as { message: string }).message, /mcp:read/);
    }
  }
});

rareTest('stdio: a key without mcp:read lists no tools and is told the scope', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'hidden_event' }]);
  const key = await app.newKey({ scopes: ['events:read'] });
  const endpoint: Endpoint = { kind: 'stdio', env: { AGENT_RUNTIME_URL: app.url, AGENT_RUNTIME_API_KEY: key } };
  const modern = v2Client({ versionNegotiation: { mode: { pin: MODERN } } });
  for (const connect of [v1Client, v2Client(), modern]) {
    const client = await connect(t, endpoint);
    assert.deepEqual(await client.tools(), []);
    const answer = await client.call('aggregate_events', { eventName: 'hidden_event', aggregation: 'count' });
    assert.equal(answer.isError, true);
    assert.match(answer.text, /insufficient_scope/);
    assert.match(answer.text, /\bmcp:read\b/);
  }
});

test('/mcp: a key revoked while a client is connected is refused at once', async () => {
  const app = await sharedApp();
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const client = await app.mcpClient(key);
  await client.listTools();
  await app.runtime.keys.revoke(key.split('_')[1]!, null);
  await assert.rejects(client.callTool({ name: 'aggregate_events', arguments: {} }), /revoked|401/);
});

test('/mcp: a foreign Origin is refused; local and configured ones pass', async (t) => {
  const app = await testApp(t, { allowedOrigins: ['https://console.example.com'] });
  const statusFor = async (origin: string) => (await send(app, { host: 'localhost', origin })).status;
  for (const origin of [
    'https://evil.example',
    'http://localhost.evil.example',
    'http://console.example.com',
    'https://console.example.com.evil.example',
    'https://console.example.com:8443',
    'null',
    'file://',
    'localhost',
    'chrome-extension://abcdefghijklmnop',
  ]) {
    assert.equal(await statusFor(origin), 403, origin);
  }
  for (const origin of [
    'http://localhost:1234',
    'http://127.0.0.1:6274',
    'http://[::1]:80',
    'https://console.example.com',
  ]) {
    assert.equal(await statusFor(origin), 200, origin);
  }
});

test('/mcp: Host and Origin are checked before the key', async () => {
  const app = await sharedApp();
  assert.equal((await send(app, { host: 'evil.example.com', 'x-api-key': 'ar_nonsense' })).status, 403);
  assert.equal((await send(app, { host: 'localhost', origin: 'https://evil.example', 'x-api-key': 'x' })).status, 403);
});

test('/mcp: another tenant sees no events, names, keys, agents or counts', async () => {
  const app = await sharedApp();
  await app.runtime.tenants.create({ name: 'rival' });
  const rival = await app.newKey({ tenant: 'rival', scopes: ['mcp:read', 'events:write'] });
  const anywhere = await app.newKey({ tenant: 'rival', agentId: null, scopes: ['mcp:read'] });
  const { receipt } = await app.ingest([
    { id: 'same-id', eventName: 'secret_launch', agentId: 'stealth', properties: { codename: 'aurora' } },
    { eventName: 'shared_event', properties: { codename: 'aurora', amount: 5 } },
    { eventName: 'shared_event', properties: { codename: 'borealis', amount: 7 } },
  ]);
  await app.ingest([{ id: 'same-id', eventName: 'shared_event', properties: { amount: 1 } }], rival);

  const count = { aggregation: 'count' };
  const questions: [string, Record<string, unknown>][] = [
    ['aggregate_events', { eventName: 'secret_lanch', ...count }],
    ['aggregate_events', { eventName: 'secret', ...count }],
    ['aggregate_events', { eventName: 'zzz', ...count }],
    ['aggregate_events', { eventName: 'secret_lanch', ...count, agentId: 'stelth' }],
    ['aggregate_events', { eventName: 'shared_event', ...count, group_by: 'codenam' }],
    ['aggregate_events', { eventName: 'shared_event', aggregation: 'sum', propertyKey: 'codenme' }],
    [
      'aggregate_events',
      { eventName: 'shared_event', ...count, filters: [{ propertyKey: 'coden', operator: 'exists' }] },
    ],
    ['query_events', { eventName: 'shared_event' }],
    ['query_events', { eventName: 'secret_lanch' }],
    ['query_events', { eventName: 'shared_event', agentId: 'stelth' }],
    ['query_events', { eventName: 'shared_event', mode: 'aggregate', groupBy: ['agentId', 'eventName', 'codenam'] }],
    ['query_events', { eventName: 'shared_event', waitFor: receipt }],
  ];
  for (const key of [rival, anywhere]) {
    for (const [name, args] of questions) {
      const { result } = await rpc(app, 'tools/call', { name, arguments: args }, key);
      const text = answerOf(result).text;
      assert.doesNotMatch(text, /secret_launch|codename|aurora|borealis|stealth/, JSON.stringify(args));
    }
    const { result } = await rpc(
      app,
      'tools/call',
      { name: 'aggregate_events', arguments: { eventName: 'shared_event', aggregation: 'sum', propertyKey: 'amount' } },
      key,
    );
    assert.equal(result.structuredContent.value, 1);
    assert.equal(result.structuredContent.basis.matchedEvents, 1);
  }
  const { result: hidden } = await rpc(
    app,
    'tools/call',
    { name: 'aggregate_events', arguments: { eventName: 'secret_launch', aggregation: 'count' } },
    rival,
  );
  assert.equal(hidden.structuredContent.value, 0);
  assert.equal(hidden.structuredContent.basis.lastEventAt, null);
  assert.match(hidden.structuredContent.note, /No event named "secret_launch" was ever recorded/);
});

test('aggregate_events: a bound key learns which agent of its tenant has the event', async () => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'sale', agentId: 'shop' }]);
  const { result } = await rpc(app, 'tools/call', {
    name: 'aggregate_events',
    arguments: { eventName: 'sale', aggregation: 'count' },
  });
  assert.equal(result.structuredContent.value, 0);
  assert.match(result.structuredContent.note, /"support".*"shop".*agentId/);
});

test('tools/call: a tool that the key may not use says which scope it needs', async (t) => {
  const app = await testApp(t);
  const client = await app.mcpClient(await app.newKey({ scopes: ['mcp:read'] }));
  assert.doesNotMatch(client.getInstructions() ?? '', /search_knowledge/);
  assert.doesNotMatch(JSON.stringify(await client.listTools()), /search_knowledge/);
  const refused = answerOf(await client.callTool({ name: 'search_knowledge', arguments: { query: 'refund' } }));
  assert.equal(refused.isError, true);
  assert.match(refused.text, /insufficient_scope: .*knowledge:read/);
  const both = await app.mcpClient(await app.newKey({ scopes: ['mcp:read', 'knowledge:read'] }));
  assert.match(both.getInstructions() ?? '', /6\. search_knowledge/);
});

test('tools/call: null arguments count as none, an unknown tool gets the names', async (t) => {
  const app = await testApp(t);
  const { result } = await rpc(app, 'tools/call', { name: 'describe_workspace', arguments: null });
  assert.equal(result.isError ?? false, false);
  const client = await app.mcpClient();
  await assert.rejects(
    client.callTool({ name: 'list_events', arguments: {} }),
    /There is no tool "list_events"; the tools are "describe_workspace", "aggregate_events"/,
  );
});

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
