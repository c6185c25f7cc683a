import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as V1Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { openRuntime } from '../../src/app/runtime.ts';
import { loadConfig } from '../../src/config.ts';
import { ingestBatchSchema } from '../../src/core/analytics/events/ingest-schema.ts';
import { parse } from '../../src/core/base/shared/parse.ts';
import { createLog } from '../../src/logging/log.ts';
import { EVENTS, temporaryDirectory, testApp } from '../support/app.ts';
import { COMPILED } from '../support/compile-cache.ts';
import { appOfThisFile } from '../support/shared.ts';
import { assertSameAnswer } from './same-answer.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/agent-runtime.js', import.meta.url));
const INSPECTOR = realpathSync(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url));

export const MODERN = '2026-07-28';
export const LEGACY = '2025-11-25';

/** Where a client connects: over the network, or to a process that it starts. */
export type Endpoint = { kind: 'http'; url: string; key: string } | { kind: 'stdio'; env: Record<string, string> };

export const sharedApp = appOfThisFile();

/** Calls tools of the shared server with this key. */
export async function toolCaller(key: string) {
  const client = await (await sharedApp()).mcpClient(key);
  return async (name: string, args: object): Promise<ToolAnswer> =>
    answerOf(await client.callTool({ name, arguments: args as Record<string, unknown> }));
}

let tenants = 0;

/** A new tenant on the shared server with these events, and functions that call its tools. */
export async function workspace(events: object[] = []) {
  const app = await sharedApp();
  const { name: tenant } = await app.runtime.tenants.create({ name: `tenant ${++tenants}` });
  const key = await app.newKey({ tenant, scopes: ['mcp:read', 'events:write'] });
  const call = await toolCaller(key);
  const successful = async (name: string, args: object) => {
    const answer = await call(name, args);
    if (answer.isError) throw new Error(`${name} ${JSON.stringify(args)}: ${answer.text}`);
    return answer.data;
  };
  /** The receipt; the events are stored but perhaps not visible yet. `body` may be JSON text. */
  const send = async (body: unknown): Promise<string> =>
    (await app.request('POST', EVENTS, body, { 'x-api-key': key })).body.receipt;
  if (events.length > 0) await app.ingest(events, key);
  return {
    send,
    /** The raw answer, errors included. */
    call,
    /** As `call`, with an unbound key. */
    callUnbound: async (name: string, args: object) =>
      (await toolCaller(await app.newKey({ tenant, agentId: null, scopes: ['mcp:read'] })))(name, args),
    /** The numbers, without what a person reads beside them. */
    aggregate: async (args: object) => withoutWords(await successful('aggregate_events', args)),
    query: (args: object) => successful('query_events', args),
  };
}

const WORDS = new Set(['formatted', 'words', 'direction', 'chart']);

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export function withoutWords(answer: unknown): any {
  return JSON.parse(JSON.stringify(answer, (name, value) => (WORDS.has(name) ? undefined : value)));
}

export interface ListedTool {
  name: string;
  title?: string;
  description?: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
}

export interface ToolAnswer {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  data: any;
}

/** A real client, connected. */
export interface Conversation {
  server(): Promise<{ name: string; protocolVersion: string; instructions: string }>;
  tools(): Promise<ListedTool[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
}

export type ConnectClient = (t: TestContext, endpoint: Endpoint) => Promise<Conversation>;

export function answerOf(result: unknown): ToolAnswer {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { type: string; text: string }[];
    structuredContent?: unknown;
  };
  return { isError: isError === true, text: content.map((part) => part.text).join('\n'), data: structuredContent };
}

/** The v2 client, in the era that the options negotiate; by default that of 2025. */
export function v2Client(options?: ClientOptions): ConnectClient {
  return async (t, endpoint) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    t.after(() => client.close());
    await client.connect(
      endpoint.kind === 'stdio'
        ? new StdioClientTransport({ ...program(endpoint.env), stderr: 'ignore' })
        : new StreamableHTTPClientTransport(new URL(endpoint.url), {
            requestInit: { headers: { 'x-api-key': endpoint.key } },
          }),
    );
    return {
      server: async () => ({
        name: client.getServerVersion()?.name ?? '',
        protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
        instructions: client.getInstructions() ?? '',
      }),
      tools: async () => (await client.listTools()).tools as ListedTool[],
      call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    };
  };
}

/** The client of the v1 SDK, which most hosts still use. */
export const v1Client: ConnectClient = async (t, endpoint) => {
  const client = new V1Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  const transport =
    endpoint.kind === 'stdio'
      ? new V1Stdio({ ...program(endpoint.env), stderr: 'ignore' })
      : new V1Http(new URL(endpoint.url), { requestInit: { headers: { 'x-api-key': endpoint.key } } });
  let protocolVersion = '';
  const setProtocolVersion = transport as { setProtocolVersion?: (version: string) => void };
  const before = setProtocolVersion.setProtocolVersion?.bind(transport);
  setProtocolVersion.setProtocolVersion = (version) => {
    protocolVersion = version;
    before?.(version);
  };
  await client.connect(transport as V1Transport);
  return {
    server: async () => ({
      name: client.getServerVersion()?.name ?? '',
      protocolVersion,
      instructions: client.getInstructions() ?? '',
    }),
    tools: async () => (await client.listTools()).tools as ListedTool[],
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
  };
};

/** MCP Inspector's command line: a process per request. */
export function inspector(era: 'legacy' | 'modern'): ConnectClient {
  return async (t, endpoint) => {
    const ask = (...method: string[]) => runInspector(t, [...method, '--protocol-era', era], endpoint);
    return {
      server: async () => {
        const { serverInfo, protocolVersion, instructions } = await ask('--method', 'initialize');
        return { name: serverInfo.name, protocolVersion, instructions };
      },
      tools: async () => (await ask('--method', 'tools/list')).tools,
      call: async (name, args) =>
        answerOf(await ask('--method', 'tools/call', '--tool-name', name, '--tool-args-json', JSON.stringify(args))),
    };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: each method has its own answer
async function runInspector(t: TestContext, args: string[], endpoint: Endpoint): Promise<any> {
  const common = [INSPECTOR, '--cli', ...args, '--format', 'json', '--quiet', '--stored-auth-only'];
  const place =
    endpoint.kind === 'http'
      ? ['--transport', 'http', '--server-url', endpoint.url, '--header', `x-api-key: ${endpoint.key}`]
      : [...environmentFlags(endpoint.env), '--', process.execPath, PROGRAM, 'mcp'];
  // It writes into the home directory, which must not be that of the user.
  const home = temporaryDirectory(t);
  const { code, stdout, stderr } = await ended(
    spawn(process.execPath, [...common, ...place], {
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  // 5: the tool answered with isError.
  if (code !== 0 && code !== 5) throw new Error(`mcp-inspector ended with ${code}: ${stderr}`);
  return JSON.parse(stdout).result;
}

function environmentFlags(env: Record<string, string>): string[] {
  return Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
}

function program(env: Record<string, string>) {
  return {
    command: process.execPath,
    args: [PROGRAM, 'mcp'],
    env: { PATH: process.env.PATH ?? '', ...COMPILED, ...env },
  };
}

/** `agent-runtime mcp` as a bare process, for messages that client libraries refuse to send. */
export function startMcp(t: TestContext, env: Record<string, string>) {
  const { command, args, env: environment } = program(env);
  const cwd = join(temporaryDirectory(t), 'elsewhere');
  mkdirSync(cwd);
  const child = spawn(command, args, { cwd, env: environment, stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

export function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...texts }));
  });
}

const SEED = [
  { eventName: 'purchase_completed', properties: { plan: 'pro', amount: 10 } },
  { eventName: 'purchase_completed', properties: { plan: 'pro', amount: 20 } },
  { eventName: 'purchase_completed', properties: { plan: 'free', amount: 30.5 } },
];

/** A served data directory with three purchases in it, and a key that may only read. */
export async function seededApp(t: TestContext): Promise<{ url: string; key: string }> {
  const app = await testApp(t);
  await app.ingest(SEED);
  return { url: app.url, key: await app.newKey({ scopes: ['mcp:read'] }) };
}

/** The same in a data directory without an owner. */
export async function seededDirectory(t: TestContext): Promise<{ dataDir: string; key: string }> {
  const dataDir = temporaryDirectory(t);
  const runtime = await openRuntime(loadConfig({ dataDir }, {}, {}), createLog('silent'));
  try {
    const { id: tenantId } = await runtime.tenants.get('default');
    const issue = async (scopes: ('events:write' | 'mcp:read')[]) =>
      (await runtime.keys.create(tenantId, { agentId: 'support', label: 'test', scopes, expiresAt: null }, null)).key;
    const writer = await runtime.keyAuthenticator.authenticate(await issue(['events:write']));
    await runtime.events.ingest(writer, parse(ingestBatchSchema, { events: SEED }));
    return { dataDir, key: await issue(['mcp:read']) };
  } finally {
    await runtime.close();
  }
}

/** Checks what every client must be able to do with the seeded purchases, concurrently. */
export async function converse(client: Conversation, protocolVersion: string): Promise<void> {
  const [server, tools, sum, rows, unfit] = await Promise.all([
    client.server(),
    client.tools(),
    client.call('aggregate_events', {
      eventName: 'purchase_completed',
      aggregation: 'sum',
      propertyKey: 'amount',
      group_by: 'plan',
    }),
    client.call('query_events', {
      eventName: 'purchase_completed',
      columns: ['plan', 'amount'],
      sortBy: 'amount',
      limit: 2,
    }),
    client.call('aggregate_events', { eventName: 'purchase_completed', aggregation: 'sum' }),
  ]);
  assert.equal(server.name, 'agent-runtime');
  assert.equal(server.protocolVersion, protocolVersion);
  assert.match(server.instructions, /aggregate_events/);
  for (const name of ['aggregate_events', 'query_events']) assert.ok(tools.some((tool) => tool.name === name));

  assert.equal(sum.isError, false, sum.text);
  assert.equal(sum.data.value, 60.5);
  assert.deepEqual(sum.data.groups, [
    { group: 'free', value: 30.5 },
    { group: 'pro', value: 30 },
  ]);
  assert.equal(sum.data.basis.matchedEvents, 3);
  assertSameAnswer(sum.text, sum.data);

  assert.equal(rows.isError, false, rows.text);
  assert.deepEqual(rows.data.rows, [
    { plan: 'free', amount: 30.5 },
    { plan: 'pro', amount: 20 },
  ]);
  assert.equal(rows.data.total, 3);
  assert.equal(rows.data.nextOffset, 2);
  assertSameAnswer(rows.text, rows.data);

  assert.equal(unfit.isError, true);
  assert.match(unfit.text, /propertyKey: needed for aggregation sum/);
}

/** An `agent-runtime mcp` that has answered a client. */
export async function startAnswering(t: TestContext, env: Record<string, string>) {
  const child = startMcp(t, env);
  const lines = createInterface({ input: child.stdout });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await once(lines, 'line');
  return child;
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: LEGACY, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
};
