import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PROGRAM } from '../../src/core/base/shared/program.ts';
import { mcpUrl } from '../../src/tools/bridge.ts';
import { testApp } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import { answerOf, ended, INITIALIZE, MODERN } from '../tools/support.ts';
import { type Built, buildBundle, type Command, hostCommand, startCommand } from './support.ts';

/** Common to the clients of both generations. */
interface AnyClient {
  getServerVersion(): { name: string; version: string } | undefined;
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

type Connect = (t: TestContext, command: Command) => Promise<AnyClient>;

function v2(options?: ClientOptions): Connect {
  return async (t, command) => {
    const client = new Client({ name: 'test', version: '1.0.0' }, options);
    t.after(() => client.close());
    await client.connect(new StdioClientTransport({ ...command, stderr: 'ignore' }));
    return client;
  };
}

const v1: Connect = async (t, command) => {
  const client = new V1Client({ name: 'test', version: '1.0.0' });
  t.after(() => client.close());
  await client.connect(new V1Stdio({ ...command, stderr: 'ignore' }));
  return client;
};

const CLIENTS: { name: string; connect: Connect; ending: string }[] = [
  { name: 'the v1 client', connect: v1, ending: '/' },
  { name: 'the v2 client by default', connect: v2(), ending: '' },
  {
    name: 'the v2 client pinned to 2026-07-28',
    connect: v2({ versionNegotiation: { mode: { pin: MODERN } } }),
    ending: '/mcp',
  },
  { name: 'the v2 client that negotiates', connect: v2({ versionNegotiation: { mode: 'auto' } }), ending: '/mcp/' },
];

rareTest('MCP bundle: the manifest starts a working MCP server', async (t) => {
  const built = await buildBundle(t);
  const app = await testApp(t);
  await app.ingest([
    { eventName: 'purchase_completed', properties: { plan: 'pro', amount: 10 } },
    { eventName: 'purchase_completed', properties: { plan: 'pro', amount: 20 } },
    { eventName: 'purchase_completed', properties: { plan: 'free', amount: 30.5 } },
  ]);

  for (const { name, connect, ending } of CLIENTS) {
    await t.test(`MCP bundle: ${name}, address ending in "${ending}"`, async (t) => {
      const client = await connect(t, await commandFor(built, `${app.url}${ending}`, app.key));
      assert.deepEqual(
        [client.getServerVersion()?.name, client.getServerVersion()?.version],
        [PROGRAM.name, PROGRAM.version],
      );
      assert.deepEqual(
        (await client.listTools()).tools.map((tool) => tool.name).sort(),
        built.manifest.tools?.map((tool) => tool.name).sort(),
      );
      const { isError, text, data } = answerOf(
        await client.callTool({
          name: 'aggregate_events',
          arguments: { eventName: 'purchase_completed', aggregation: 'sum', propertyKey: 'amount', group_by: 'plan' },
        }),
      );
      assert.equal(isError, false, text);
      assert.equal(data.value, 60.5);
      assert.deepEqual(data.groups, [
        { group: 'free', value: 30.5 },
        { group: 'pro', value: 30 },
      ]);
    });
  }

  await t.test('MCP bundle: an invalid key is named at once', async (t) => {
    const wrong = `${app.key.slice(0, -1)}${app.key.endsWith('0') ? '1' : '0'}`;
    const command = await commandFor(built, app.url, wrong);
    await assert.rejects(v1(t, command), /API key is not valid/);
    await assert.rejects(v2()(t, command), /API key is not valid/);
  });

  await t.test('MCP bundle: a key without the scope is told which one is missing', async (t) => {
    const client = await v2()(t, await commandFor(built, app.url, await app.newKey({ scopes: ['events:write'] })));
    const call = client.callTool({ name: 'aggregate_events', arguments: { eventName: 'x', aggregation: 'count' } });
    const outcome = await call.then(answerOf, (error: Error) => ({ isError: true, text: error.message }));
    assert.equal(outcome.isError, true);
    assert.match(outcome.text, /mcp:read/);
  });

  await t.test('MCP bundle: an unreachable server is named to the client and in the log', async (t) => {
    const url = `http://127.0.0.1:${await portWithoutServer()}`;
    const command = await commandFor(built, url, app.key);
    await assert.rejects(v1(t, command), /cannot be reached/);
    const { stdout, stderr, code } = await sayHello(t, command);
    assert.match(stdout, /"id":1,"error":.*cannot be reached/);
    assert.match(stderr, new RegExp(`${url}/mcp\\n.*ECONNREFUSED`));
    assert.ok(!stderr.includes(app.key));
    assert.equal(code, 0);
  });

  await t.test('MCP bundle: stdout carries protocol only; the process ends with stdin', async (t) => {
    const { stdout, code } = await sayHello(t, await commandFor(built, app.url, app.key));
    assert.equal(JSON.parse(stdout).result.serverInfo.name, PROGRAM.name);
    assert.equal(code, 0);
  });

  await t.test('MCP bundle: a host asks for the key before it starts the server', async () => {
    assert.equal(await hostCommand(built, { url: app.url }), undefined);
  });

  await t.test('MCP bundle: an invalid setting is named as the user sees it, in a sentence', async (t) => {
    const command = await commandFor(built, app.url, app.key);
    const endings = invalidSettings(app.key).map(async ({ env, message }) => {
      const child = startCommand(t, { ...command, env: { ...command.env, ...env } });
      const { code, stdout, stderr } = await ended(child);
      const help = 'see Settings, Extensions, Agent Runtime, Configure in Claude Desktop.';
      assert.equal(stderr, `Agent Runtime: ${message}: ${help}\n`);
      assert.deepEqual([code, stdout], [1, '']);
    });
    await Promise.all(endings);
  });
});

function invalidSettings(key: string): { env: Record<string, string>; message: string }[] {
  return [
    { env: { AGENT_RUNTIME_URL: '' }, message: '"Server address" is not set' },
    { env: { AGENT_RUNTIME_URL: '127.0.0.1:3000' }, message: '"Server address" must look like http://127.0.0.1:3000' },
    { env: { AGENT_RUNTIME_URL: 'localhost:3000' }, message: '"Server address" must look like http://127.0.0.1:3000' },
    { env: { AGENT_RUNTIME_API_KEY: '' }, message: '"API key" is not set' },
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a host may leave it
    { env: { AGENT_RUNTIME_API_KEY: '${user_config.api_key}' }, message: '"API key" is not set' },
    { env: { AGENT_RUNTIME_API_KEY: `${key}…` }, message: '"API key" has characters in it that no key has' },
  ];
}

async function commandFor(built: Built, url: string, apiKey: string): Promise<Command> {
  const command = await hostCommand(built, { url, api_key: apiKey });
  assert.ok(command !== undefined);
  return command;
}

/** Sends an initialize request, waits for the response and closes standard input. */
async function sayHello(t: TestContext, command: Command) {
  const child = startCommand(t, command);
  const end = ended(child);
  const answered = once(createInterface({ input: child.stdout }), 'line');
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  await answered;
  child.stdin.end();
  return end;
}

async function portWithoutServer(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

test("readSettings: accepts the server's address in every usual form", () => {
  for (const [given, expected] of [
    ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/mcp'],
    ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/mcp'],
    ['http://127.0.0.1:3000/mcp', 'http://127.0.0.1:3000/mcp'],
    ['http://127.0.0.1:3000/mcp/', 'http://127.0.0.1:3000/mcp'],
    ['https://tools.example.com/runtime', 'https://tools.example.com/runtime/mcp'],
    ['https://tools.example.com/runtime//', 'https://tools.example.com/runtime/mcp'],
    ['https://tools.example.com/runtime/mcp', 'https://tools.example.com/runtime/mcp'],
    ['https://tools.example.com/my-mcp', 'https://tools.example.com/my-mcp/mcp'],
  ] as const) {
    assert.equal(mcpUrl(given).href, expected);
  }
});
