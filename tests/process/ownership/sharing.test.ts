import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { type RequestListener, request } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { operate } from '../../../src/app/operate.ts';
import { openServer } from '../../../src/app/server.ts';
import { type Config, loadConfig } from '../../../src/config.ts';
import { createLog } from '../../../src/logging/log.ts';
import type { OwnedServer } from '../../../src/ownership/owner.ts';
import { Ownership } from '../../../src/ownership/ownership.ts';
import { EVENTS, temporaryDirectory } from '../../support/app.ts';
import {
  countOverMcp,
  createKey,
  type Ending,
  eventually,
  newDataDirectory,
  ownerOf,
  readyUrl,
  runProgram,
  startMcp,
  startServe,
  startServer,
} from '../../support/process.ts';
import { rareTest } from '../../support/rare.ts';
import { runCommand, runJson } from '../../support/shell.ts';
import { type Round, runRound, sharedDirectory } from './sharing-rounds.ts';

/** The server last, in the middle and first; every order, and every way to die in it, is the soak's. */
const ROUNDS: Round[] = [
  { starts: ['mcp A', 'mcp B', 'serve'], deaths: ['owner', 'owner', 'owner'], firstSignal: 'SIGKILL' },
  { starts: ['mcp A', 'serve', 'mcp B'], deaths: ['mcp B', 'owner', 'owner'], firstSignal: 'SIGTERM' },
  { starts: ['serve', 'mcp A', 'mcp B'], deaths: ['owner', 'owner', 'owner'], firstSignal: 'SIGKILL' },
];

rareTest('Ownership: in any order of starts and deaths, every living process answers', async (t) => {
  const shared = await sharedDirectory(t);
  for (const round of ROUNDS) {
    const { starts, deaths, firstSignal } = round;
    const name = `${starts.join(', ')} start; ${deaths.join(', ')} die, the first of ${firstSignal}`;
    await t.test(name, { timeout: 60_000 }, (t) => runRound(t, shared, round));
  }
});

test('serve: of two started at once on one directory, one serves, the other says where', async (t) => {
  const dataDir = newDataDirectory(t);
  const programs = [startServe(t, dataDir), startServe(t, dataDir)];
  const ending: Ending = await Promise.race(programs.map(({ ended }) => ended));
  const winner = programs.find(({ child }) => child.exitCode === null);
  assert.ok(winner, 'one of them serves');
  const wasReady = winner.output().stdout !== '';
  const url = await readyUrl(winner);
  assert.equal(ending.code, 1);
  assert.equal(ending.stdout, '');
  // On a machine so slow that the other did not wait long enough, it cannot know the address.
  if (!wasReady && /^error: .* If it is still starting, wait; .*\n$/.test(ending.stderr)) return;
  assert.match(ending.stderr, /^error: .* is served already .*\n$/);
  assert.ok(ending.stderr.includes(`at ${url} (process ${winner.pid})`), ending.stderr);
});

rareTest('serve: started among busy mcp processes, it is the next owner', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir, 'mcp:read');
  const mcps = [await startMcp(t, dataDir, key), await startMcp(t, dataDir, key), await startMcp(t, dataDir, key)];
  const owners = new Set<number>();
  let isReady = false;
  const untilReady = async (action: () => Promise<unknown>) => {
    while (!isReady) {
      await action();
      await sleep(20);
    }
  };
  const observers = [
    untilReady(async () => owners.add((await ownerOf(join(dataDir, 'runtime.sock')))?.pid ?? 0)),
    ...mcps.map(({ client }) => untilReady(() => countOverMcp(client, 'any'))),
  ];
  const server = await startServer(t, dataDir).finally(() => {
    isReady = true;
  });
  await Promise.all(observers);
  owners.delete(0);
  owners.delete(server.pid);
  assert.equal(owners.size, 1, `${owners.size} mcp processes owned the directory before the server did`);
});

rareTest('serve: with its port in use, it leaves the mcp process that owns the directory', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir, 'mcp:read');
  const mcp = await startMcp(t, dataDir, key);
  const other = await startServer(t, newDataDirectory(t));
  const taken = startServe(t, dataDir, Number(new URL(other.url).port));
  const { code, stderr } = await taken.ended;
  assert.equal(code, 1);
  assert.match(stderr, /^error: the port is in use: .*\n$/);
  assert.equal(await countOverMcp(mcp.client, 'any'), 0);
  // A busy machine may make the first query slow.
  assert.equal(mcp.stderr().replace(/^.*"slow query".*\n/gm, ''), '');
});

test('mcp --url: works through the server and touches no data directory', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  const receipt = await server.ingest(key, [{ eventName: 'far_away' }]);
  const unused = newDataDirectory(t);
  const mcp = await startMcp(t, unused, key, { environment: { AGENT_RUNTIME_URL: server.url } });
  assert.equal(await countOverMcp(mcp.client, 'far_away', receipt), 1);
  assert.equal(existsSync(unused), false);
  await server.end('SIGKILL');
  await assert.rejects(countOverMcp(mcp.client, 'far_away'), /cannot be reached/);
});

rareTest('import: each event is stored once, without an owner, with mcp and with serve', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const imported = async (name: string, again = false) => {
    const file = join(dataDir, `${name}.ndjson`);
    const lines = Array.from({ length: 1_500 }, (_, n) => JSON.stringify({ eventName: name, properties: { n } }));
    writeFileSync(file, `${lines.join('\n')}\n`);
    const args = ['import', file, '--agent', 'support', '--json', '--data-dir', dataDir];
    const { code, stdout, stderr } = await runCommand(args);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const { accepted, duplicates, rejected } = JSON.parse(stdout);
    assert.deepEqual(
      { accepted, duplicates, rejected },
      { accepted: again ? 0 : 1_500, duplicates: again ? 1_500 : 0, rejected: 0 },
    );
  };
  await imported('while_nothing_runs');
  const mcp = await startMcp(t, dataDir, key);
  assert.equal(await countOverMcp(mcp.client, 'while_nothing_runs'), 1_500);
  await imported('while_mcp_runs');
  assert.equal(await countOverMcp(mcp.client, 'while_mcp_runs'), 1_500);
  const server = await startServer(t, dataDir);
  await imported('while_a_server_runs');
  await imported('while_nothing_runs', true);
  const names = ['while_nothing_runs', 'while_mcp_runs', 'while_a_server_runs'];
  for (const name of names) assert.equal(await countOverMcp(mcp.client, name), 1_500, name);
  assert.equal((await server.end('SIGTERM')).stderr.replace(/^First start: .*\n/m, ''), '');
  assert.equal(mcp.stderr(), '');
});

rareTest('import: a server that starts midway takes over, and each event is stored once', async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const file = join(dataDir, 'many.ndjson');
  const lines = Array.from({ length: 30_000 }, (_, n) => JSON.stringify({ eventName: 'many', properties: { n } }));
  writeFileSync(file, lines.join('\n'));
  const running = runProgram(t, ['import', file, '--agent', 'support', '--json', '--data-dir', dataDir]);
  await eventually(
    'the import owns the directory',
    async () => {
      return (await ownerOf(join(dataDir, 'runtime.sock')))?.command === 'import';
    },
    10_000,
  );
  const server = await startServer(t, dataDir);
  const { code, stdout, stderr } = await running;
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const { accepted, duplicates } = JSON.parse(stdout);
  assert.equal(accepted + duplicates, 30_000);
  const metrics = [
    { aggregation: 'count', alias: 'events' },
    { aggregation: 'distinct_count', propertyKey: 'n', alias: 'different' },
  ];
  const { body } = await server.request(key, 'POST', `${EVENTS}/query`, {
    eventName: 'many',
    mode: 'aggregate',
    metrics,
  });
  assert.deepEqual(body.rows, [{ events: 30_000, different: 30_000 }]);
});

test('keys: a running server applies a created, rotated or revoked key in a second', async (t) => {
  const dataDir = newDataDirectory(t);
  const server = await startServer(t, dataDir);
  const status = async (key: string) => (await server.request(key, 'GET', `${EVENTS}/feed`)).status;
  const created = await createKey(dataDir, 'events:read');
  await eventually('the new key works', async () => (await status(created.key)) === 200, 1_000);
  const rotated = await runJson(dataDir, 'keys', 'rotate', created.id);
  await eventually('the old secret is void', async () => (await status(created.key)) === 401, 1_000);
  assert.equal(await status(rotated.key), 200);
  await runJson(dataDir, 'keys', 'revoke', created.id);
  await eventually('the key is void', async () => (await status(rotated.key)) === 401, 1_000);
});

test('Ownership: a fault on opening is reported once, and again when it changes', async (t) => {
  const reported: string[] = [];
  let fault = 'the disk is full';
  let tries = 0;
  const ownership = new Ownership({
    dataDir: temporaryDirectory(t),
    yields: true,
    info: () => ({ command: 'test', pid: process.pid }),
    open: async () => {
      tries += 1;
      throw new Error(fault);
    },
    onError: (error) => reported.push((error as Error).message),
  });
  t.after(() => ownership.close());
  const triedAgain = async (times: number) => {
    const wanted = tries + times;
    while (tries < wanted) await sleep(20);
  };
  void ownership.watch();
  await triedAgain(4);
  assert.deepEqual(reported, ['the disk is full']);
  fault = 'the directory is gone';
  await triedAgain(2);
  assert.deepEqual(reported, ['the disk is full', 'the directory is gone']);
});

const ERASE = '/-/operations/erase';

rareTest('Operations: answered on the socket of the directory and never on TCP', async (t) => {
  const dataDir = newDataDirectory(t);
  const { url } = await startServer(t, dataDir);
  const body = JSON.stringify({ tenant: 'nobody' });
  for (const path of [ERASE, '/-/operations/stage-backup', '/-/operations/', '/-/owner', '/-/yield', `/x/..${ERASE}`]) {
    const overTcp = await fetch(`${url}${path}`, { method: 'POST', headers: JSON_BODY, body });
    assert.equal(overTcp.status, 404, path);
    assert.match(((await overTcp.json()) as { message: string }).message, /^There is nothing at POST/);
  }
  const socketPath = join(dataDir, 'runtime.sock');
  const missing = await overSocket(socketPath, ERASE, body);
  assert.deepEqual(missing, {
    ...{ statusCode: 404, message: 'There is no tenant "nobody". Known tenants: default.', error: 'Not Found' },
  });
  const wrong = await overSocket(socketPath, ERASE, '{"tenent": "x"}');
  assert.deepEqual(wrong.message, ['tenant: is required', 'tenent: unknown member; did you mean tenant?']);
  assert.deepEqual((await overSocket(socketPath, ERASE, '{')).message, ['body: is not valid JSON']);
  assert.equal((await overSocket(socketPath, '/-/operations/toString', '{}')).statusCode, 404);
});

test('operate(): an owner of an older version is reported as too old', async (t) => {
  const config = configOf(t);
  const owner = await owning(t, config, {
    listener: (_request, response) => response.writeHead(404, JSON_BODY).end('{"statusCode": 404}'),
    close: async () => undefined,
  });
  await owner.own(0);
  const { code, stderr } = await runProgram(t, ['erase', '--tenant', 'x', '--yes', '--data-dir', config.dataDir]);
  assert.equal(code, 1);
  assert.match(stderr, /There is no Agent Runtime data/);
  await assert.rejects(
    operate(config, { command: 'test', name: 'erase', input: { tenant: 'x' } }),
    new RegExp(`\\(old, process ${process.pid}\\) runs an older version.*restart it with this version`),
  );
});

test('operate(): an owner that ends before it answers is reported, not replaced', async (t) => {
  const config = configOf(t);
  const operations: RequestListener = (_request, response) => void response.destroy();
  const owner = await owning(t, config, { listener: operations, operations, close: async () => undefined });
  await owner.own(0);
  const asked = operate(config, { command: 'test', name: 'stage-backup', input: {} });
  await assert.rejects(asked, { code: 'unavailable', message: /ended before it answered\. Run the command again\./ });
});

rareTest('Ownership: a takeover waits for the running operation', async (t) => {
  const config = configOf(t);
  const log = createLog('silent');
  const done: string[] = [];
  const opened = await openServer(config, log);
  const first = await owning(t, config, {
    ...opened,
    operations: (_request, response) => {
      setTimeout(() => {
        done.push('operation');
        response.setHeader('content-type', 'application/json').end('{}');
      }, 2_500);
    },
  });
  await first.own(0);
  const asked = operate(config, { command: 'test', name: 'stage-backup', input: {} });
  await sleep(200);
  const next = await owning(t, config, { ...opened, close: async () => undefined }, false);
  assert.equal(await next.own(10_000), null);
  done.push('takeover');
  await asked;
  assert.deepEqual(done, ['operation', 'takeover']);
});

const JSON_BODY = { 'content-type': 'application/json' };

function configOf(t: TestContext): Config {
  return loadConfig({ dataDir: newDataDirectory(t), logLevel: 'silent' }, {}, {});
}

async function owning(t: TestContext, { dataDir }: Config, opened: OwnedServer, yields = true): Promise<Ownership> {
  const info = () => ({ command: 'old', pid: process.pid });
  const ownership = new Ownership({ dataDir, yields, info, open: async () => opened });
  t.after(() => ownership.close());
  return ownership;
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
function overSocket(socketPath: string, path: string, body: string): Promise<any> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path, method: 'POST', headers: JSON_BODY, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
