import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Agent, request } from 'undici';
import { EVENTS, temporaryDirectory } from '../support/app.ts';
import {
  countOverMcp,
  createKey,
  eventually,
  freePort,
  newDataDirectory,
  runProgram,
  type Server,
  startMcp,
  startProgram,
  startServe,
  startServer,
} from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand, runJson } from '../support/shell.ts';

const STORES = '/api/v1/runtime/v1/vectors/stores';
const KEY = /ar_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}/;

test('First start: without a terminal it writes keys to a private file, once', async (t) => {
  const dataDir = newDataDirectory(t);
  const file = join(dataDir, 'first-run.txt');
  const server = await startServer(t, dataDir);
  const { stdout, stderr } = server.output();
  assert.ok(stderr.startsWith('First start: ') && stderr.includes(file), stderr);
  assert.doesNotMatch(stdout + stderr, KEY, 'no key in what a supervisor may log');
  assert.equal(modeOf(dataDir), 0o700);
  assert.equal(modeOf(file), 0o600);

  const text = readFileSync(file, 'utf8');
  const fullKey = keyAfter(text, 'Full access key');
  const readKey = keyAfter(text, 'MCP read-only key');
  assert.match(text, /Portal user +admin@localhost\n +Portal password +\S{12,}\n/);
  assert.doesNotMatch(text, /#link=/, 'a file is read later than a link lives');
  const urls = new Set(text.match(/http:\/\/[^/\s"]+/g));
  assert.deepEqual([...urls], [server.url], 'no address but the real one');

  await t.test('the full key has every scope, the read key only what MCP needs', async () => {
    const receipt = await server.ingest(fullKey, [{ eventName: 'hello_sent' }]);
    const feed = await server.request(fullKey, 'GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': receipt });
    assert.equal(feed.body.total, 1);
    assert.equal((await server.request(readKey, 'POST', EVENTS, { events: [{ eventName: 'a' }] })).status, 403);
    assert.equal((await server.request(readKey, 'GET', `${EVENTS}/feed`)).status, 403);
    assert.equal((await server.request(readKey, 'GET', STORES)).status, 200);
    assert.equal((await server.request(readKey, 'DELETE', `${STORES}/help`)).status, 403);
  });

  await t.test('neither key is bound to an agent', async () => {
    const { keys } = await runJson(dataDir, 'keys', 'list');
    const shown = keys.map(({ agentId, scopes }: { agentId: null; scopes: string[] }) => ({ agentId, scopes }));
    const ofScopes = (...scopes: string[]) => ({ agentId: null, scopes });
    assert.deepEqual(new Set(shown), new Set([ofScopes('*'), ofScopes('mcp:read', 'knowledge:read')]));
  });

  await t.test('each printed client configuration connects unchanged, with the read key', async (t) => {
    const [desktop, cursor, vscode] = configurations(text);
    const stdio = desktop.mcpServers['agent-runtime'];
    for (const path of [stdio.command, stdio.args[0], stdio.env.AGENT_RUNTIME_DATA_DIR]) {
      assert.ok(isAbsolute(path) && existsSync(path), path);
    }
    assert.equal(stdio.env.AGENT_RUNTIME_API_KEY, readKey);
    const http = cursor.mcpServers['agent-runtime'];
    assert.deepEqual(vscode.servers['agent-runtime'], { type: 'http', ...http });
    assert.equal(http.headers['x-api-key'], readKey);
    assert.ok(text.includes(`${server.url}/mcp --header "x-api-key: ${readKey}"`), 'Claude Code');
    const transports = [
      new StdioClientTransport({ ...stdio, cwd: temporaryDirectory(t), stderr: 'ignore' }),
      new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: http.headers } }),
    ];
    for (const transport of transports) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      t.after(() => client.close());
      await client.connect(transport);
      assert.equal(await countOverMcp(client, 'hello_sent'), 1);
    }
  });

  await t.test('the second start writes no keys', async (t) => {
    assert.equal((await server.end('SIGTERM')).code, 0);
    rmSync(file);
    const again = await startServer(t, dataDir);
    assert.equal(existsSync(file), false);
    assert.equal(again.output().stderr, '');
    assert.equal((await again.request(fullKey, 'GET', `${EVENTS}/feed`)).body.total, 1);
    await again.end('SIGTERM');
  });
});

rareTest('First start: first-run.txt exists before any request is answered, TCP or socket', async (t) => {
  const dataDir = newDataDirectory(t);
  const port = await freePort();
  const agent = new Agent({ connect: { socketPath: join(dataDir, 'runtime.sock') } });
  t.after(() => agent.close());
  const server = startServe(t, dataDir, port);
  /** Whether the file was there when the first answer came. */
  const askUntilAnswered = async (url: string, options: object) => {
    for (;;) {
      if (server.child.exitCode !== null) throw new Error(server.output().stderr);
      const isAnswered = await request(url, options).then(
        ({ body }) => body.dump().then(() => true),
        () => false,
      );
      if (isAnswered) return existsSync(join(dataDir, 'first-run.txt'));
      await nextTurn();
    }
  };
  const doors = [
    askUntilAnswered(`http://127.0.0.1:${port}/healthz`, {}),
    askUntilAnswered(`http://127.0.0.1:${port}/readyz`, {}),
    askUntilAnswered('http://localhost/readyz', { dispatcher: agent }),
    askUntilAnswered('http://localhost/-/owner', { dispatcher: agent }),
  ];
  assert.deepEqual(await Promise.all(doors), [true, true, true, true]);
});

rareTest('First start: it ends when it cannot write the file; the next leaves valid keys', async (t) => {
  const dataDir = newDataDirectory(t);
  const file = join(dataDir, 'first-run.txt');
  mkdirSync(file, { recursive: true, mode: 0o700 });
  const failed = await startServe(t, dataDir).ended;
  assert.equal(failed.code, 78);
  assert.match(failed.stderr, /first-run\.txt/);

  rmSync(file, { recursive: true });
  const server = await startServer(t, dataDir);
  const fullKey = keyAfter(readFileSync(file, 'utf8'), 'Full access key');
  assert.equal((await server.request(fullKey, 'GET', `${EVENTS}/feed`)).status, 200);
  const { keys } = await runJson(dataDir, 'keys', 'list');
  const valid = keys.filter(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null);
  assert.equal(valid.length, 2, 'keys that nobody has seen are revoked');
});

rareTest('First start: the keys are never written through a link', async (t) => {
  const dataDir = newDataDirectory(t);
  const file = join(dataDir, 'first-run.txt');
  const elsewhere = join(temporaryDirectory(t), 'elsewhere.txt');
  mkdirSync(dataDir, { mode: 0o700 });
  writeFileSync(elsewhere, 'untouched', { mode: 0o666 });
  symlinkSync(elsewhere, file);
  await startServer(t, dataDir);
  assert.equal(readFileSync(elsewhere, 'utf8'), 'untouched');
  assert.ok(lstatSync(file).isFile());
  assert.equal(modeOf(file), 0o600);
});

rareTest('serve: files are private even in a directory that other users may enter', async (t) => {
  const dataDir = newDataDirectory(t);
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const { key } = await runJson(dataDir, 'keys', 'create', '--label', 'test', '--scopes', '*');
  const server = await startServer(t, dataDir);
  await server.ingest(key, [{ eventName: 'private' }]);
  const readable = readdirSync(dataDir).filter((name) => (modeOf(join(dataDir, name)) & 0o077) !== 0);
  assert.deepEqual(readable, []);
});

// A socket's address has some 100 bytes; a directory's path may have more.
const LONG = ['a'.repeat(60), 'b'.repeat(60)];

rareTest('Socket: a data directory with a long path works for serve and mcp', async (t) => {
  const dataDir = newDataDirectory(t, ...LONG);
  const { key } = await createKey(dataDir);
  const mcp = await startMcp(t, dataDir, key);
  assert.equal(await countOverMcp(mcp.client, 'far_away'), 0);
  const server = await startServer(t, dataDir);
  const receipt = await server.ingest(key, [{ eventName: 'far_away' }]);
  assert.equal(await countOverMcp(mcp.client, 'far_away', receipt), 1);
  await server.end('SIGKILL');
  assert.equal(await countOverMcp(mcp.client, 'far_away'), 1);
  assert.equal(mcp.stderr(), '');
});

rareTest(
  'Socket: with a long path it is still inside the data directory',
  { skip: process.platform !== 'linux' && 'only Linux reaches a directory through a descriptor' },
  async (t) => {
    const dataDir = newDataDirectory(t, ...LONG);
    await startServer(t, dataDir);
    const socket = lstatSync(join(dataDir, 'runtime.sock'));
    assert.ok(socket.isSocket());
    assert.equal(socket.mode & 0o777, 0o600);
  },
);

rareTest('Socket: mcp without TMPDIR finds the server of a data directory with a long path', async (t) => {
  const dataDir = newDataDirectory(t, ...LONG);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir, { environment: { TMPDIR: temporaryDirectory(t) } });
  await isShared(t, server, dataDir, key);
});

rareTest('Socket: a data directory is the same under each of its names', async (t) => {
  const dataDir = newDataDirectory(t, ...LONG);
  const { key } = await createKey(dataDir);
  const link = join(temporaryDirectory(t), 'short');
  symlinkSync(dirname(dataDir), link);
  const server = await startServer(t, dataDir);
  await isShared(t, server, join(link, 'data'), key);
});

test('mcp: without a key it fails with one line', async (t) => {
  const { code, stdout, stderr } = await runProgram(t, ['mcp', '--data-dir', newDataDirectory(t)]);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^error: AGENT_RUNTIME_API_KEY is not set\. .*\n$/);
});

rareTest('mcp: standard output carries only the protocol, whatever the log level', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir, 'mcp:read');
  const environment = { AGENT_RUNTIME_API_KEY: key };
  const program = startProgram(t, ['mcp', '--data-dir', dataDir, '--log-level', 'trace'], {
    environment,
    input: 'open',
  });
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  };
  const call = { name: 'aggregate_events', arguments: { eventName: 'a', aggregation: 'count' } };
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: call },
    { id: 4, method: 'no/such/method' },
  ];
  for (const message of messages) program.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  program.child.stdin?.write('this is not JSON\n');
  const answers = () => program.output().stdout.split('\n').slice(0, -1);
  await eventually('four answers', async () => answers().length >= 4, 10_000);
  await sleep(100);
  program.child.stdin?.end();
  const { code, stderr } = await program.ended;
  assert.equal(code, 0, stderr);
  const parsed = answers().map((line) => JSON.parse(line) as { jsonrpc: string; id?: number });
  assert.ok(parsed.every(({ jsonrpc }) => jsonrpc === '2.0'));
  assert.deepEqual(parsed.map(({ id }) => id).sort(), [1, 2, 3, 4]);
  assert.notEqual(stderr, '', 'what is logged goes to standard error');
});

test('Administration commands: --json prints one JSON object', async (t) => {
  const dataDir = newDataDirectory(t);
  const json = (...args: string[]) => runJson(dataDir, ...args);
  const alone = await runProgram(t, ['tenants', 'create', 'acme', '--json', '--data-dir', dataDir]);
  assert.equal(alone.code, 0);
  const tenant = JSON.parse(alone.stdout);
  assert.deepEqual(Object.keys(tenant).sort(), [
    'createdAt',
    'executionRetentionDays',
    'id',
    'name',
    'passwordLogin',
    'retentionDays',
    'roleLimits',
    'secondFactor',
    'timezone',
  ]);
  const scopes = ['--scopes', 'events:read,events:write', '--expires', '90d'];
  const [agent, key] = await Promise.all([
    json('agents', 'create', 'billing', '--tenant', 'acme'),
    json('keys', 'create', '--tenant', tenant.id, '--agent', 'support', '--label', 'ci', ...scopes),
  ]);
  assert.equal(agent.name, 'billing');
  assert.equal(agent.tenantId, tenant.id);
  const { id, key: secret, expiresAt, ...rest } = key;
  assert.match(secret, KEY);
  assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - 90 * 86_400_000) < 60_000, expiresAt);
  const shown = { tenantId: tenant.id, agentId: 'support', label: 'ci', scopes: ['events:read', 'events:write'] };
  assert.deepEqual(rest, shown);

  const rotated = await json('keys', 'rotate', id);
  assert.deepEqual({ ...rotated, key: secret }, { ...key, formerSecretUntil: null }, 'only the secret changed');
  assert.notEqual(rotated.key, secret);
  const revoked = await json('keys', 'revoke', id);
  assert.ok(Math.abs(Date.parse(revoked.revokedAt) - Date.now()) < 60_000);
  const [{ keys }, { agents }, { tenants }, findings] = await Promise.all([
    json('keys', 'list', '--tenant', 'acme'),
    json('agents', 'list', '--tenant', 'acme'),
    json('tenants', 'list'),
    json('doctor'),
  ]);
  assert.deepEqual(keys, [revoked]);
  assert.ok(!JSON.stringify(keys).includes(rotated.key.split('_')[2]), 'a list holds no secret');
  assert.deepEqual(agents.map((one: { name: string }) => one.name).sort(), ['billing', 'default', 'support']);
  assert.deepEqual(tenants.map((one: { name: string }) => one.name).sort(), ['acme', 'default']);
  assert.equal(findings.ok, true);
});

test('Administration commands: a failure is one line and exit code 1', async (t) => {
  const dataDir = newDataDirectory(t);
  await runJson(dataDir, 'tenants', 'create', 'acme');
  const key = ['keys', 'create', '--label', 'x'];
  const failures: [string[], RegExp][] = [
    [['tenants', 'create', 'acme'], /^error: .*exists already\.\n$/],
    [['agents', 'create', 'default'], /^error: .*already\.\n$/],
    [
      ['agents', 'create', 'a', '--tenant', 'nobody'],
      /^error: There is no tenant "nobody"\. Known tenants: .*acme.*\n$/,
    ],
    [['keys', 'revoke', 'nothing'], /^error: There is no key with the id "nothing"\..*\n$/],
    [['keys', 'rotate', 'nothing'], /^error: There is no key with the id "nothing"\..*\n$/],
    [[...key, '--scopes', 'everything'], /^error: scopes.* must be one of \*, mcp:read.*\n$/],
    [[...key, '--scopes', '*', '--expires', 'soon'], /^error: --expires: "soon" is neither a duration .*\n$/],
    [['import', join(dataDir, 'missing.ndjson')], /^error: .*missing\.ndjson.*\n$/],
  ];
  for (const [args, message] of failures) {
    const { code, stdout, stderr } = await runCommand([...args, '--json', '--data-dir', dataDir]);
    assert.equal(code, 1, args.join(' '));
    assert.equal(stdout, '', args.join(' '));
    assert.match(stderr, message);
  }
});

/** An mcp process that calls the directory by this name sees what the server takes, within a moment. */
async function isShared(t: Parameters<typeof startMcp>[0], server: Server, dataDir: string, key: string) {
  const receipt = await server.ingest(key, [{ eventName: 'far_away' }]);
  const counted = async () => {
    const { client } = await startMcp(t, dataDir, key);
    return countOverMcp(client, 'far_away', receipt);
  };
  const late = sleep(10_000, 'no answer within 10 s', { ref: false });
  assert.equal(await Promise.race([counted(), late]), 1);
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

function keyAfter(text: string, label: string): string {
  const key = new RegExp(`${label} +(${KEY.source})\n`).exec(text)?.[1];
  assert.ok(key, label);
  return key;
}

/** The JSON objects in a text, each of which begins and ends at the same indentation. */
// biome-ignore lint/suspicious/noExplicitAny: configurations of several programs
function configurations(text: string): any[] {
  return [...text.matchAll(/^ {4}\{\n[\s\S]*?\n {4}\}$/gm)].map(([json]) => JSON.parse(json));
}

/** Whether the first start has created a key. */
