import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { parse } from '../../src/core/shared/parse.ts';
import type { Tool } from '../../src/tools/define.ts';
import { tools } from '../../src/tools/server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { answerOf, type Door, type ListedTool, MODERN, sharedApp, v1Client, v2Client } from './support.ts';

const GOLDEN = fileURLToPath(new URL('./tools-list.golden.json', import.meta.url));
const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const SOURCES = new URL('../../src/tools/', import.meta.url);
/** What the built-in definitions may cost a model's context together. */
const MAX_TOKENS = 4_000;
const MAX_DESCRIPTION = 1_200;

test('every tool says explicitly what it may do, and all of them only read', () => {
  for (const { name, annotations } of tools) {
    assert.deepEqual(
      annotations,
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      name,
    );
  }
});

test('every tool has a title, a bounded description that marks event text as data, and the scope mcp:read', () => {
  for (const { name, title, description, scopes } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(title.length > 0 && title.length <= 60, name);
    assert.ok(description.length > 0 && description.length <= MAX_DESCRIPTION, `${name}: ${description.length}`);
    assert.match(description, /data, not instructions/, name);
    assert.ok(scopes.includes('mcp:read'), name);
  }
});

test('a tool is one file, named as the tool, and no tool is forgotten in the list', async () => {
  for (const { name } of tools) assert.ok(existsSync(new URL(`${name.replaceAll('_', '-')}.ts`, SOURCES)), name);
  const defined: string[] = [];
  for (const file of readdirSync(SOURCES)) {
    const exported = Object.values((await import(new URL(file, SOURCES).href)) as Record<string, unknown>);
    for (const tool of exported.filter(isTool)) {
      assert.equal(file, `${tool.name.replaceAll('_', '-')}.ts`);
      defined.push(tool.name);
    }
  }
  assert.deepEqual(defined.sort(), tools.map((tool) => tool.name).sort());
});

function isTool(value: unknown): value is Tool {
  return typeof value === 'object' && value !== null && 'annotations' in value && 'run' in value;
}

test('tools/list is what the golden file says (UPDATE_GOLDEN=1 writes it), in a stable order', async () => {
  const listed = await listTools(await sharedApp());
  assert.deepEqual(
    listed.map((tool) => tool.name),
    tools.map((tool) => tool.name),
  );
  if (process.env.UPDATE_GOLDEN === '1') {
    writeFileSync(GOLDEN, `${JSON.stringify(listed, null, 2)}\n`);
    execFileSync(process.execPath, [BIOME, 'format', '--write', GOLDEN], { stdio: 'ignore' });
  }
  assert.deepEqual(listed, JSON.parse(readFileSync(GOLDEN, 'utf8')));
});

test('the definitions together stay small enough for a model to carry', async (t) => {
  const listed = await listTools(await sharedApp());
  const tokens = (value: unknown) => encode(JSON.stringify(value)).length;
  for (const tool of listed) {
    t.diagnostic(
      `${tool.name}: ${tokens(tool)} tokens: description ${tokens(tool.description)}, input ${tokens(tool.inputSchema)}, output ${tokens(tool.outputSchema)}`,
    );
  }
  t.diagnostic(`tools/list: ${tokens(listed)} tokens of ${MAX_TOKENS}`);
  assert.ok(tokens(listed) < MAX_TOKENS, `${tokens(listed)} tokens`);
});

test('input and output schemas are closed or complete JSON Schema objects that compile', async () => {
  const validator = new AjvJsonSchemaValidator();
  for (const { name, inputSchema, outputSchema } of await listTools(await sharedApp())) {
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(inputSchema.additionalProperties, false, `${name} takes unknown members`);
    assert.equal(outputSchema?.type, 'object', name);
    validator.getValidator(inputSchema);
    validator.getValidator(outputSchema);
  }
});

test('the examples in the descriptions are valid arguments, by the schema as advertised and by the one that decides', async () => {
  const validator = new AjvJsonSchemaValidator();
  for (const { name, description = '', inputSchema } of await listTools(await sharedApp())) {
    const examples = [...description.matchAll(/^(?:Examples?: )?(\{.*\})$/gm)].map(([, example]) => example!);
    assert.ok(examples.length >= 1, name);
    for (const example of examples) {
      assert.deepEqual(validator.getValidator(inputSchema)(JSON.parse(example)).errorMessage, undefined, example);
      parse(tools.find((tool) => tool.name === name)!.input, JSON.parse(example));
    }
  }
});

test('the text of an answer is its structured content, compact and complete', async () => {
  const app = await sharedApp();
  await app.ingest([
    {
      eventName: 'a',
      properties: { n: 1.5, text: 'Olá "quoted"\n\u2028', nested: { list: [1, null, { deep: true }] } },
    },
    { eventName: 'a', properties: { n: 2, constructor: 'c' } },
  ]);
  const questions: [string, object][] = [
    [
      'aggregate_events',
      { eventName: 'a', aggregation: 'avg', propertyKey: 'n', dateFrom: '-7d', dateGrouping: 'day' },
    ],
    [
      'aggregate_events',
      { eventName: 'a', aggregation: 'count', group_by: ['text', 'n'], compareTo: 'previous_period', dateFrom: '-7d' },
    ],
    ['aggregate_events', { eventName: 'unknown', aggregation: 'count' }],
    ['query_events', { eventName: 'a' }],
    ['query_events', { eventName: 'a', mode: 'aggregate', groupBy: 'constructor' }],
  ];
  for (const [name, args] of questions) {
    const { result } = await rpc(app, 'tools/call', { name, arguments: args });
    assert.equal(result.content.length, 1);
    assert.equal(result.content[0].type, 'text');
    assert.equal(result.content[0].text, JSON.stringify(result.structuredContent));
  }
});

test('an error is text alone: no structured content that a client would check against the output schema', async () => {
  const app = await sharedApp();
  const { result } = await rpc(app, 'tools/call', { name: 'aggregate_events', arguments: {} });
  assert.equal(result.isError, true);
  assert.equal('structuredContent' in result, false);
  assert.match(result.content[0].text, /^Invalid arguments, change them and call again:\n- eventName: /);
});

test('without a key every method gets 401 with a challenge that does not promise OAuth', async () => {
  const app = await sharedApp();
  for (const method of ['GET', 'POST', 'DELETE']) {
    const response = await fetch(`${app.url}/mcp`, {
      method,
      headers: JSON_HEADERS,
      body: method === 'POST' ? message('tools/list') : null,
    });
    assert.equal(response.status, 401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    assert.match(challenge, /^Bearer\b/);
    assert.doesNotMatch(challenge, /resource_metadata/);
    assert.equal(((await response.json()) as { statusCode: number }).statusCode, 401);
  }
});

test('invalid, expired and conflicting keys get 401, a bearer token works like x-api-key', async () => {
  const app = await sharedApp();
  const expired = await app.newKey({ expiresAt: Date.now() + 200 });
  const other = await app.newKey();
  const status = async (headers: Record<string, string>) =>
    (await fetch(`${app.url}/mcp`, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: message('ping') }))
      .status;
  assert.equal(await status({ 'x-api-key': 'ar_nonsense' }), 401);
  assert.equal(await status({ 'x-api-key': expired }), 200);
  await sleep(250);
  assert.equal(await status({ 'x-api-key': expired }), 401);
  assert.equal(await status({ 'x-api-key': app.key, authorization: `Bearer ${other}` }), 401);
  assert.equal(await status({ authorization: `Basic ${app.key}` }), 401);
  assert.equal(await status({ authorization: `Bearer ${app.key}` }), 200);
  assert.equal(await status({ 'x-api-key': app.key, authorization: `Bearer ${app.key}` }), 200);
});

test('a key without mcp:read sees no tools and gets 403 with the scope to ask for, in both eras', async () => {
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

test('a key without mcp:read lists nothing and is refused with the scope to ask for over stdio', async (t) => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'hidden_event' }]);
  const key = await app.newKey({ scopes: ['events:read'] });
  const door: Door = { kind: 'stdio', env: { AGENT_RUNTIME_URL: app.url, AGENT_RUNTIME_API_KEY: key } };
  const modern = v2Client({ versionNegotiation: { mode: { pin: MODERN } } });
  for (const connect of [v1Client, v2Client(), modern]) {
    const client = await connect(t, door);
    assert.deepEqual(await client.tools(), []);
    const answer = await client.call('aggregate_events', { eventName: 'hidden_event', aggregation: 'count' });
    assert.equal(answer.isError, true);
    assert.match(answer.text, /insufficient_scope/);
    assert.match(answer.text, /\bmcp:read\b/);
  }
});

test('a key that is revoked while a client is connected is refused from the next request on', async () => {
  const app = await sharedApp();
  const key = await app.newKey({ scopes: ['mcp:read'] });
  const client = await app.mcpClient(key);
  await client.listTools();
  await app.runtime.keys.revoke(key.split('_')[1]!, null);
  await assert.rejects(client.callTool({ name: 'aggregate_events', arguments: {} }), /revoked|401/);
});

test('a Host that could have been rebound onto this server is refused, loopback and literal addresses are not', async (t) => {
  const app = await testApp(t, { allowedHosts: ['mcp.example.com'] });
  const statusFor = (host: string) => send(app, { host });
  for (const host of [
    'evil.example.com',
    'evil.example.com:3000',
    'localhost.evil.example.com',
    '127.0.0.1.evil.example.com',
    'mcp.example.com.evil.example.com',
    'localhost.',
  ]) {
    const { status, headers } = await statusFor(host);
    assert.equal(status, 403, host);
    assert.ok(headers['www-authenticate'], host);
  }
  for (const host of [
    'localhost',
    'localhost:3000',
    'LOCALHOST',
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]',
    '[::1]:3000',
    '192.168.7.7:3000',
    '[2001:db8::1]:3000',
    'mcp.example.com',
    'MCP.example.com:443',
  ]) {
    assert.equal((await statusFor(host)).status, 200, host);
  }
});

test('a page from elsewhere is refused by its Origin, one from this machine or a configured one is not', async (t) => {
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

test('Host and Origin are judged before the key, so that a rebound page learns nothing of keys', async () => {
  const app = await sharedApp();
  assert.equal((await send(app, { host: 'evil.example.com', 'x-api-key': 'ar_nonsense' })).status, 403);
  assert.equal((await send(app, { host: 'localhost', origin: 'https://evil.example', 'x-api-key': 'x' })).status, 403);
});

test('what is no tool call ends in a JSON-RPC or HTTP error, never in a 5xx or a silent success', async () => {
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
    ['tools/call', { name: 'aggregate_events', arguments: null }, -32602],
  ] as const) {
    const { error, result } = await rpc(app, method, params);
    assert.equal(result, undefined);
    assert.equal(error.code, code, `${method} ${JSON.stringify(params)}`);
  }
});

test('arguments nested thousands deep are refused as the input they are, not as an internal error', async () => {
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

test('each message of a batch is a request for the rate limit', async (t) => {
  const app = await testApp(t, { rateLimit: 60, rateLimitBurst: 20 });
  const batch = `[${Array.from({ length: 50 }, () => message('ping')).join()}]`;
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'x-api-key': app.key },
    body: batch,
  });
  assert.equal(response.status, 429);
});

test('methods that Streamable HTTP without sessions does not have are 405 with Allow', async () => {
  const app = await sharedApp();
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const response = await fetch(`${app.url}/mcp`, { method, headers: { ...JSON_HEADERS, 'x-api-key': app.key } });
    assert.equal(response.status, 405, method);
    assert.match(response.headers.get('allow') ?? '', /POST/);
  }
});

test("another tenant's key sees nothing of the first tenant: no events, no names, no keys, no agents, no counts", async () => {
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

test('a key bound to an agent is told which agent of its own tenant has the event', async () => {
  const app = await sharedApp();
  await app.ingest([{ eventName: 'sale', agentId: 'shop' }]);
  const { result } = await rpc(app, 'tools/call', {
    name: 'aggregate_events',
    arguments: { eventName: 'sale', aggregation: 'count' },
  });
  assert.equal(result.structuredContent.value, 0);
  assert.match(result.structuredContent.note, /"support".*"shop".*agentId/);
});

test('the rate limit is told as such, with when to come back', async (t) => {
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

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function message(method: string, params: unknown = {}): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

/** One request as it travels, and the JSON-RPC answer out of its stream. */
async function rpc(app: TestApp, method: string, params: unknown = {}, key = app.key) {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { ...JSON_HEADERS, 'x-api-key': key },
    body: message(method, params),
  });
  const text = await response.text();
  const data = /^data: ([^\n]*)$/m.exec(text)?.[1] ?? text;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  return JSON.parse(data) as { result?: any; error?: any };
}

async function listTools(app: TestApp, key = app.key): Promise<ListedTool[]> {
  return (await rpc(app, 'tools/list', {}, key)).result.tools;
}

/** A `ping` with headers that `fetch` would not let through. */
function send(app: TestApp, headers: Record<string, string>) {
  const { hostname, port } = new URL(app.url);
  const body = message('ping');
  return new Promise<{ status: number; headers: Record<string, unknown> }>((resolve, reject) => {
    const outgoing = request(
      {
        hostname,
        port,
        path: '/mcp',
        method: 'POST',
        headers: { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body), 'x-api-key': app.key, ...headers },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
