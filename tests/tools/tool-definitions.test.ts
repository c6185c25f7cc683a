import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { parse } from '../../src/core/base/shared/parse.ts';
import type { ToolDefinition } from '../../src/tools/define.ts';
import { tools } from '../../src/tools/server.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { UPDATES_GOLDEN } from '../support/golden.ts';
import { listTools, rpc } from './mcp-requests.ts';
import { assertSameAnswer } from './same-answer.ts';
import { MODERN, sharedApp } from './support.ts';

const GOLDEN = fileURLToPath(new URL('./tools-list.golden.json', import.meta.url));
const FAVICON = fileURLToPath(new URL('../../portal/public/favicon.svg', import.meta.url));
const BIOME = fileURLToPath(new URL('../../node_modules/@biomejs/biome/bin/biome', import.meta.url));
const SOURCES = new URL('../../src/tools/', import.meta.url);
/** Tokens that definitions may cost together: for a key that reads, and of all. */
const MAX_TOKENS = { reading: 4_800, all: 7_500 };
/** Claude Code cuts longer instructions and descriptions. */
const MAX_CHARACTERS = 2_048;
const MAX_INSTRUCTION_TOKENS = 450;
const MAX_DESCRIPTION = 1_200;

test('tools: annotations say that a tool with a right to write writes, and others read', () => {
  for (const { name, annotations, scopes } of tools) {
    const readOnlyHint = !scopes.some((scope) => scope.endsWith(':write')) && name !== 'report_gap';
    const { idempotentHint: _, ...hints } = annotations;
    const destructiveHint = scopes.includes('dashboards:write');
    assert.deepEqual(hints, { readOnlyHint, destructiveHint, openWorldHint: false }, name);
  }
});

test('tools: each has a title, a bounded description with data notice, and mcp:read', () => {
  for (const { name, title, description, scopes } of tools) {
    assert.match(name, /^[a-z]+(_[a-z]+)*$/);
    assert.ok(title.length > 0 && title.length <= 60, name);
    assert.ok(description.length > 0 && description.length <= MAX_DESCRIPTION, `${name}: ${description.length}`);
    assert.match(description, /data, not instructions/, name);
    assert.ok(scopes.includes('mcp:read'), name);
  }
});

test('tools: each is one file named after it, and the list is complete', async () => {
  for (const { name } of tools) assert.ok(existsSync(new URL(`${name.replaceAll('_', '-')}.ts`, SOURCES)), name);
  const defined: string[] = [];
  for (const file of readdirSync(SOURCES).filter((name) => name.endsWith('.ts'))) {
    const exported = Object.values((await import(new URL(file, SOURCES).href)) as Record<string, unknown>);
    for (const tool of exported.filter(isTool)) {
      assert.equal(file, `${tool.name.replaceAll('_', '-')}.ts`);
      defined.push(tool.name);
    }
  }
  assert.deepEqual(defined.sort(), tools.map((tool) => tool.name).sort());
});

function isTool(value: unknown): value is ToolDefinition {
  return typeof value === 'object' && value !== null && 'annotations' in value && 'run' in value;
}

test('tools/list: equals the golden file (UPDATE_GOLDEN=1 writes it), in stable order', async () => {
  const listed = await listTools(await sharedApp());
  assert.deepEqual(
    listed.map((tool) => tool.name),
    tools.map((tool) => tool.name),
  );
  if (UPDATES_GOLDEN) {
    writeFileSync(GOLDEN, `${JSON.stringify(listed, null, 2)}\n`);
    execFileSync(process.execPath, [BIOME, 'format', '--write', GOLDEN], { stdio: 'ignore' });
  }
  assert.deepEqual(listed, JSON.parse(readFileSync(GOLDEN, 'utf8')));
});

test('tools: two ask hosts that defer tools to load them at once', async () => {
  const asking = (await listTools(await sharedApp())).filter(({ _meta }) => 'anthropic/alwaysLoad' in (_meta ?? {}));
  assert.deepEqual(
    asking.map(({ name, _meta }) => [name, _meta]),
    [
      ['describe_workspace', { 'anthropic/alwaysLoad': true }],
      ['aggregate_events', { 'anthropic/alwaysLoad': true }],
    ],
  );
});

test('instructions: are short, and name the tools of the key alone', async (t) => {
  const app = await sharedApp();
  const instructionsFor = async (key: string) => (await app.mcpClient(key)).getInstructions() ?? '';
  const all = await instructionsFor(app.key);
  t.diagnostic(`instructions: ${encode(all).length} tokens of ${MAX_INSTRUCTION_TOKENS}`);
  assert.ok(encode(all).length <= MAX_INSTRUCTION_TOKENS, `${encode(all).length} tokens`);
  assert.ok(all.length <= MAX_CHARACTERS, `${all.length} characters`);
  for (const { name } of tools)
    assert.equal(all.split('\n').filter((line) => line.includes(`. ${name} `)).length, 1, name);
  assert.doesNotMatch(await instructionsFor(await app.newKey({ scopes: ['mcp:read'] })), /search_knowledge/);
  assert.match(await instructionsFor(await app.newKey({ scopes: ['events:read'] })), /no tools.*mcp:read/);
});

test('tools/list: all definitions fit in the token budgets', async (t) => {
  const app = await sharedApp();
  const listed = await listTools(app);
  const tokens = (value: unknown) => encode(JSON.stringify(value)).length;
  for (const tool of listed) {
    t.diagnostic(
      `${tool.name}: ${tokens(tool)} tokens: description ${tokens(tool.description)}, input ${tokens(tool.inputSchema)}, output ${tokens(tool.outputSchema)}`,
    );
  }
  const lists = {
    reading: await listTools(app, await app.newKey({ scopes: ['mcp:read', 'knowledge:read'] })),
    all: listed,
  };
  for (const [name, list] of Object.entries(lists)) {
    const limit = MAX_TOKENS[name as keyof typeof MAX_TOKENS];
    t.diagnostic(`${name}: ${tokens(list)} tokens of ${limit}`);
    assert.ok(tokens(list) <= limit, `${name}: ${tokens(list)} tokens`);
  }
});

test('tools/list: schemas are closed or complete JSON Schema objects that compile', async () => {
  const validator = new AjvJsonSchemaValidator();
  for (const { name, inputSchema, outputSchema } of await listTools(await sharedApp())) {
    assert.equal(inputSchema.type, 'object', name);
    assert.equal(inputSchema.additionalProperties, false, `${name} takes unknown members`);
    assert.equal(outputSchema?.type, 'object', name);
    validator.getValidator(inputSchema);
    validator.getValidator(outputSchema);
  }
});

test('tools/list: examples are valid by the advertised and by the checking schema', async () => {
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

test('tools/list: is the same bytes on every connection and server', async (t) => {
  const app = await sharedApp();
  const key = await app.newKey({ scopes: ['mcp:read', 'knowledge:read', 'connectors:execute'] });
  const other = await testApp(t, { rateLimit: 0 });
  const keyThere = await other.newKey({ scopes: ['mcp:read', 'knowledge:read', 'connectors:execute'] });
  const bytes = async (one: TestApp, withKey: string) =>
    JSON.stringify((await rpc(one, 'tools/list', {}, withKey)).result);
  const first = await bytes(app, key);
  await app.ingest([{ eventName: 'between', properties: { a: 1 } }]);
  assert.equal(await bytes(app, key), first);
  assert.equal(await bytes(other, keyThere), first);
  const options = { versionNegotiation: { mode: { pin: MODERN } } } as const;
  const modern = await Promise.all([app.mcpClient(key, options), app.mcpClient(key, options)]);
  const [one, two] = await Promise.all(modern.map(async (client) => JSON.stringify((await client.listTools()).tools)));
  assert.equal(one, two);
});

test('serverInfo: has the icon of the portal', async () => {
  const client = await (await sharedApp()).mcpClient();
  const [icon] = client.getServerVersion()?.icons ?? [];
  const [type, data = ''] = icon!.src.split(';base64,');
  assert.equal(type, 'data:image/svg+xml');
  assert.equal(Buffer.from(data, 'base64').toString(), readFileSync(FAVICON, 'utf8').trim());
});

test('tools/call: one text block, which says what structured content says', async () => {
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
    assertSameAnswer(result.content[0].text, result.structuredContent);
  }
});

test('tools/call: an error is text only, without structured content', async () => {
  const app = await sharedApp();
  const { result } = await rpc(app, 'tools/call', { name: 'aggregate_events', arguments: {} });
  assert.equal(result.isError, true);
  assert.equal('structuredContent' in result, false);
  assert.match(result.content[0].text, /^Invalid arguments, change them and call again:\n- eventName: /);
});
