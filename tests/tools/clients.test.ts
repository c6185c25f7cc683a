import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { temporaryDirectory, testApp } from '../support/app.ts';
import { rareTest } from '../support/rare.ts';
import {
  type ConnectClient,
  converse,
  type Endpoint,
  ended,
  INITIALIZE,
  LEGACY,
  MODERN,
  seededApp,
  seededDirectory,
  startAnswering,
  startMcp,
  v1Client,
  v2Client,
} from './support.ts';

interface KnownClient {
  name: string;
  connect: ConnectClient;
  protocolVersion: string;
}

const V1: KnownClient = { name: 'the v1 client', connect: v1Client, protocolVersion: LEGACY };
const V2: KnownClient = { name: 'the v2 client by default', connect: v2Client(), protocolVersion: LEGACY };
const V2_PINNED: KnownClient = {
  name: 'the v2 client pinned to 2026-07-28',
  connect: v2Client({ versionNegotiation: { mode: { pin: MODERN } } }),
  protocolVersion: MODERN,
};
const V2_AUTO: KnownClient = {
  name: 'the v2 client that negotiates',
  connect: v2Client({ versionNegotiation: { mode: 'auto' } }),
  protocolVersion: MODERN,
};

test('clients: every client gets the same answers over Streamable HTTP', async (t) => {
  const { url, key } = await seededApp(t);
  await everyClient(t, { kind: 'http', url: `${url}/mcp`, key }, [V1, V2, V2_PINNED, V2_AUTO]);
});

rareTest('clients: every client gets the same answers over stdio from a data directory', async (t) => {
  const { dataDir, key } = await seededDirectory(t);
  const endpoint: Endpoint = { kind: 'stdio', env: { AGENT_RUNTIME_DATA_DIR: dataDir, AGENT_RUNTIME_API_KEY: key } };
  await everyClient(t, endpoint, [V2]);
  // From here on another process owns the directory, as with several hosts on one machine.
  await startAnswering(t, endpoint.env);
  await everyClient(t, endpoint, [V1, V2_PINNED]);
});

rareTest('clients: every client gets the same answers over stdio from a remote server', async (t) => {
  const { url, key } = await seededApp(t);
  const env = { AGENT_RUNTIME_URL: url, AGENT_RUNTIME_API_KEY: key };
  await everyClient(t, { kind: 'stdio', env }, [V2, V2_AUTO]);
  await everyClient(t, { kind: 'stdio', env: { ...env, AGENT_RUNTIME_URL: `${url}/mcp` } }, [V1]);
});

async function everyClient(t: TestContext, endpoint: Endpoint, clients: KnownClient[]): Promise<void> {
  for (const { name, connect, protocolVersion } of clients) {
    await t.test(`MCP client: ${name}`, async (t) => converse(await connect(t, endpoint), protocolVersion));
  }
}

rareTest('mcp: several processes share a data directory and survive the end of its owner', async (t) => {
  const { dataDir, key } = await seededDirectory(t);
  const endpoint: Endpoint = { kind: 'stdio', env: { AGENT_RUNTIME_DATA_DIR: dataDir, AGENT_RUNTIME_API_KEY: key } };
  const count = { eventName: 'purchase_completed', aggregation: 'count' };
  const owner = await startAnswering(t, endpoint.env);
  const clients = await Promise.all([v1Client(t, endpoint), v2Client()(t, endpoint)]);
  for (const client of clients) assert.equal((await client.call('aggregate_events', count)).data.value, 3);
  owner.kill('SIGKILL');
  const answers = await Promise.all(clients.map((client) => client.call('aggregate_events', count)));
  for (const { data } of answers) assert.equal(data.value, 3);
});

rareTest('mcp: standard output carries only protocol; the process ends with its input', async (t) => {
  const { dataDir, key } = await seededDirectory(t);
  const child = startMcp(t, {
    AGENT_RUNTIME_DATA_DIR: dataDir,
    AGENT_RUNTIME_API_KEY: key,
    AGENT_RUNTIME_LOG_LEVEL: 'trace',
  });
  const end = ended(child);
  const answered = new Set<number>();
  const allAnswered = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      answered.add(JSON.parse(line).id);
      if (answered.size === 3) resolve();
    });
  });
  for (const message of [
    INITIALIZE,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    { jsonrpc: '2.0', id: 3, method: 'ping' },
  ]) {
    child.stdin.write(`${JSON.stringify(message)}\n`);
  }
  await allAnswered;
  child.stdin.end();
  const { code, stdout } = await end;
  assert.equal(code, 0);
  for (const line of stdout.trim().split('\n')) assert.equal(JSON.parse(line).jsonrpc, '2.0');
});

test('mcp: without a key it names the setting on standard error', async (t) => {
  const child = startMcp(t, { AGENT_RUNTIME_DATA_DIR: temporaryDirectory(t) });
  const { code, stdout, stderr } = await ended(child);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /AGENT_RUNTIME_API_KEY is not set\..*mcp:read/);
});

rareTest('mcp: an invalid key is reported at once, over HTTP and stdio', async (t) => {
  const app = await testApp(t);
  const key = `${app.key.slice(0, -1)}${app.key.endsWith('0') ? '1' : '0'}`;
  const http: Endpoint = { kind: 'http', url: `${app.url}/mcp`, key };
  const elsewhere: Endpoint = { kind: 'stdio', env: { AGENT_RUNTIME_URL: app.url, AGENT_RUNTIME_API_KEY: key } };
  const directory: Endpoint = {
    kind: 'stdio',
    env: { AGENT_RUNTIME_DATA_DIR: (await seededDirectory(t)).dataDir, AGENT_RUNTIME_API_KEY: key },
  };
  for (const { name, connect } of [V1, V2, V2_AUTO, V2_PINNED]) {
    await assert.rejects(connect(t, http), /API key is not valid|HTTP 401/, name);
  }
  await assert.rejects(V1.connect(t, elsewhere), /API key is not valid/);
  await assert.rejects(V2.connect(t, directory), /API key is not valid/);
});

rareTest('mcp: requests before the end of standard input are answered', async (t) => {
  const { url, key } = await seededApp(t);
  const { dataDir, key: ownKey } = await seededDirectory(t);
  const endpoints: Record<string, string>[] = [
    { AGENT_RUNTIME_URL: url, AGENT_RUNTIME_API_KEY: key },
    { AGENT_RUNTIME_DATA_DIR: dataDir, AGENT_RUNTIME_API_KEY: ownKey },
  ];
  for (const env of endpoints) {
    const child = startMcp(t, env);
    const end = ended(child);
    child.stdin.end(
      `${JSON.stringify(INITIALIZE)}\n${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' })}\n`,
    );
    const { code, stdout } = await end;
    assert.equal(code, 0);
    const ids = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    assert.deepEqual(ids.sort(), [1, 2]);
  }
});

test('mcp: an unknown data directory is named and not created', async (t) => {
  const directory = join(temporaryDirectory(t), 'mistyped');
  const child = startMcp(t, { AGENT_RUNTIME_DATA_DIR: directory, AGENT_RUNTIME_API_KEY: 'ar_x' });
  const { code, stdout, stderr } = await ended(child);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /There is no Agent Runtime data in .*mistyped.*AGENT_RUNTIME_DATA_DIR/);
  assert.equal(existsSync(directory), false);
});

test('mcp: an unreachable server is reported, and the client does not hang', async (t) => {
  const child = startMcp(t, { AGENT_RUNTIME_URL: 'http://127.0.0.1:9', AGENT_RUNTIME_API_KEY: 'ar_x' });
  const lines = createInterface({ input: child.stdout });
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
  const [line] = (await once(lines, 'line')) as [string];
  const { id, error } = JSON.parse(line);
  assert.equal(id, 1);
  assert.match(error.message, /cannot be reached/);
});
