import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { COMMENT, EXECUTIONS, EXPORT, REVIEWS, reviewsOf } from '../http/routes/reviews/support.ts';
import { EVENTS, temporaryDirectory } from '../support/app.ts';
import {
  createKey,
  eventually,
  newDataDirectory,
  readyUrl,
  runProgram,
  startProgram,
  startServer,
} from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { canLimitFiles, limitFiles } from './file-limit.ts';

const CHILD = fileURLToPath(new URL('./fault-child.ts', import.meta.url));
const skip = canLimitFiles() ? false : 'prlimit of util-linux is not here: files cannot be limited from outside';

rareTest('Full disk: ingest answers 503, queries work, and freed space needs no restart', { skip }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir, { environment: { AGENT_RUNTIME_RATE_LIMIT: '0' } });
  const batch = (number: number) =>
    Array.from({ length: 50 }, (_, index) => ({
      eventName: 'load',
      id: `${number} ${index}`,
      properties: { number },
    }));
  const send = (number: number) =>
    fetch(`${server.url}${EVENTS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ events: batch(number) }),
    });
  const count = async (receipt?: string): Promise<number> => {
    const query = { eventName: 'load', mode: 'aggregate', groupBy: 'number', limit: 1_000 };
    const waiting = receipt === undefined ? {} : { 'x-wait-for': receipt };
    const { status, body } = await server.request(
      key,
      'POST',
      `${EVENTS}/query`,
      query,
      waiting as Record<string, string>,
    );
    assert.equal(status, 200, JSON.stringify(body));
    return body.rows.reduce((sum: number, row: { count: number }) => sum + row.count, 0);
  };
  const statuses = new Map<number, number>();
  for (let number = 0; number < 5; number += 1) statuses.set(number, (await send(number)).status);
  await eventually('what was accepted is visible', async () => (await count()) === 250, 5_000);

  limitFiles(server.pid, 4_096);
  for (let number = 5; number < 15; number += 1) {
    const response = await send(number);
    statuses.set(number, response.status);
    assert.equal(response.status, 503, await response.text());
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  }
  assert.equal(await count(), 250, 'queries are answered');

  limitFiles(server.pid, 'unlimited');
  let receipt = '';
  for (const [number, before] of statuses) {
    const { status, body } = await server.request(key, 'POST', EVENTS, { events: batch(number) });
    assert.equal(status, 202);
    assert.equal(body.accepted, before === 202 ? 0 : 50, 'what was refused is new, what was accepted is not');
    receipt = body.receipt;
  }
  assert.equal(await count(receipt), 750);
  const { status } = await server.request(key, 'GET', '/readyz');
  assert.equal(status, 200);
});

rareTest('Full disk: writes of all kinds fail, the log included, and reads still work', { skip }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const logFile = join(temporaryDirectory(t), 'serve.log');
  const server = startProgram(t, ['serve', '--port', '0', '--data-dir', dataDir], { logFile });
  const url = await readyUrl(server);
  const send = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify(body),
    });
  const changes = [
    () => send(EVENTS, { events: [{ eventName: 'load', agentId: 'never seen before' }] }),
    () => send('/api/v1/runtime/observability/dashboard-tabs', { agentId: 'support', name: 'A tab' }),
    () => send(EXECUTIONS, { id: 'run', output: 'x' }),
    () => send(reviewsOf('run'), { rating: 'bad', comment: COMMENT }),
  ];
  const { size } = statSync(logFile);
  limitFiles(server.pid, Math.max(size, 64));
  for (const change of changes) {
    const response = await change();
    const { message } = (await response.json()) as { message: string };
    assert.equal(response.status, 503, message);
    assert.match(
      message,
      /cannot be changed at the moment: the disk is full or fails\. Nothing was changed\. Try again\./,
    );
    assert.match(response.headers.get('retry-after') ?? '', /^\d+$/);
  }
  for (const path of [REVIEWS, `${REVIEWS}?search=letras`, EXPORT, `${EXPORT}?format=dpo-jsonl`]) {
    const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': key } });
    assert.equal(response.status, 200, await response.text());
  }
  assert.ok(statSync(logFile).size <= Math.max(size, 64));
  limitFiles(server.pid, 'unlimited');
  for (const change of changes) assert.ok((await change()).ok);
  const { code } = await server.end('SIGTERM');
  assert.equal(code, 0);
  assert.match(readFileSync(logFile, 'utf8'), /"level":"error".*the disk is full or fails/, 'what waited for room');
});

rareTest('Full disk: a failed checkpoint or log write is retried and loses no event', { skip }, async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, [CHILD, temporaryDirectory(t)]);
  const seen = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
  assert.equal(seen.copy, 'unavailable, retry', 'a copy that finds no room');
  assert.ok(['unavailable, retry', '35000'].includes(String(seen.whileBroken)), String(seen.whileBroken));
  assert.equal(seen.idle, '35000', 'readable again though nothing arrives');
  assert.deepEqual(seen.refused, ['unavailable, retry']);
  assert.ok(Number(seen.refusedBatches) > 0, 'the backlog is bounded');
  assert.ok(Number(seen.backlogBytes) < Number(seen.backlogLimit) * 1.1);
  assert.equal(seen.whileFull, '35000', 'queries are answered while nothing can be written');
  assert.equal(seen.failing, true);
  assert.deepEqual([seen.late, seen.lateAfterwards], [true, false], 'answers say so');
  assert.equal(seen.failingAfterwards, false);
  assert.equal(seen.waitingAfterwards, 0);
  assert.equal(seen.duplicates, 0, 'what was refused is new');
  assert.equal(seen.accepted, 60_000);
  assert.equal(seen.stored, '60000');
  assert.equal(seen.ping, 'done');
});

const NOBODY = 65_534;
const isRoot = process.geteuid?.() === 0;

/** Each has the place of a file that a start opens, in the order of the start. */
const DIRECTORIES = [
  ...['secret.key', 'sealing-keys.json', 'owner.lock', 'next.lock', 'backup.lock', 'installation.json'],
  ...['installation.lock', 'state.sqlite', 'state.sqlite-wal', 'spool.sqlite', 'events.duckdb', 'events.duckdb.wal'],
  ...['quarantine.ndjson', 'knowledge.sqlite', 'first-run.txt', 'runtime.sock'],
];
const FILES: Record<string, string> = {
  uploads: 'x',
  'restore-ready/plan.json': 'no plan',
  'restore-staging/new/state.sqlite': '',
  'owner.lock': 'x'.repeat(5_000),
  'installation.lock': 'x'.repeat(5_000),
  'backup.lock': 'x'.repeat(5_000),
  'installation.json': '{}',
};

interface Fault {
  name: string;
  inject(dataDir: string): void;
  settings?: Record<string, string>;
  uid?: number;
}

const FAULTS: Fault[] = [
  ...DIRECTORIES.map((name) => ({
    name: `a directory at ${name}`,
    inject: (dataDir: string) => mkdirSync(join(dataDir, name)),
  })),
  ...Object.entries(FILES).map(([name, content]) => ({
    name: `other content at ${name}`,
    inject: (dataDir: string) => {
      mkdirSync(join(dataDir, name, '..'), { recursive: true });
      writeFileSync(join(dataDir, name), content);
    },
  })),
  {
    name: 'a certificate that is missing',
    inject: () => undefined,
    settings: { AGENT_RUNTIME_TLS_CERTIFICATE: '/nowhere/a.pem', AGENT_RUNTIME_TLS_KEY: '/nowhere/a.key' },
  },
  ...(isRoot ? ['state.sqlite', 'spool.sqlite', 'owner.lock', 'installation.json', 'secret.key'] : []).map((name) => ({
    name: `${name} of another user`,
    inject: (dataDir: string) => {
      chownSync(dataDir, NOBODY, NOBODY);
      writeFileSync(join(dataDir, name), 'x', { mode: 0o600 });
    },
    uid: NOBODY,
  })),
];

/** Of several kinds; the others take long. */
const SOME = ['a directory at runtime.sock', 'other content at restore-staging/new/state.sqlite'];

for (const { name, inject, settings = {}, uid } of FAULTS) {
  const testSome = SOME.includes(name) ? test : rareTest;
  testSome(`serve: ends with 78, a file and a remedy for ${name}`, { timeout: 30_000 }, async (t) => {
    const dataDir = newDataDirectory(t);
    mkdirSync(dataDir, { mode: 0o700 });
    if (uid !== undefined) chmodSync(join(dataDir, '..'), 0o755);
    inject(dataDir);
    const args = ['serve', '--port', '0', '--data-dir', dataDir, '--log-level', 'error'];
    const options = { environment: settings, ...(uid === undefined ? {} : { uid, cwd: '/' }) };
    const { code, stdout, stderr } = await runProgram(t, args, options);
    assert.equal(code, 78, stderr);
    assert.doesNotMatch(stdout, /ready/);
    const [said, ...more] = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('First start'));
    assert.deepEqual(more, [], 'one line');
    const [place] = name.split(' at ')[1]?.split('/') ?? [uid === undefined ? 'a.pem' : dataDir];
    const file = place!.replace(/-wal$/, '');
    assert.ok(said?.includes(file), said);
    assert.match(said!, /[Mm]ove|[Rr]emove|[Rr]epeat|restore|Mend|AGENT_RUNTIME_/);
  });
}

rareTest('serve: says who owns a directory that it may not write to, and the chown', async (t) => {
  if (!isRoot) return t.skip('only root can start a program as another user');
  const dataDir = join(temporaryDirectory(t), 'data');
  mkdirSync(dataDir, { mode: 0o755 });
  chmodSync(join(dataDir, '..'), 0o755);
  const { code, stderr } = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir], {
    uid: NOBODY,
    cwd: '/',
  });
  assert.equal(code, 78);
  assert.ok(stderr.includes(`${dataDir} belongs to root with mode 0755; this process runs as user ${NOBODY}`), stderr);
  assert.ok(stderr.includes(`\`chown -R ${NOBODY}:${NOBODY} ${dataDir}\``), stderr);
});

test('serve: names the setting for an address that this machine does not have', async (t) => {
  const args = ['serve', '--port', '0', '--data-dir', newDataDirectory(t), '--host', '203.0.113.77'];
  const { code, stderr } = await runProgram(t, args, {});
  assert.equal(code, 1);
  assert.match(stderr, /EADDRNOTAVAIL.*choose one of this machine with --host/);
});

const PRELOAD = fileURLToPath(new URL('./exceptions-preload.ts', import.meta.url));

test('Exceptions: one in each timer, message and data handler; the server lives', { timeout: 120_000 }, async (t) => {
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const environment = { NODE_OPTIONS: `--import ${PRELOAD}`, AGENT_RUNTIME_RATE_LIMIT: '0' };
  const server = await startServer(t, dataDir, { environment });
  const sites = () =>
    new Set([...server.output().stderr.matchAll(/injected at ([\w./-]+:\d+)/g)].map(([, site]) => site!));
  let stored = 0;
  /** Null: the connection was closed, which tells the client as well. */
  const ask = async (path: string, init: RequestInit = {}): Promise<number | null> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', ...init.headers };
    const signal = AbortSignal.timeout(20_000);
    try {
      const response = await fetch(`${server.url}${path}`, { signal, ...init, headers });
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      assert.ok(!signal.aborted, `${path} is never answered`);
      assert.ok(error instanceof Error);
      return null;
    }
  };
  const events = JSON.stringify({ events: [{ eventName: 'load' }] });
  const ingest = async (init: RequestInit) => {
    if ((await ask(EVENTS, { method: 'POST', ...init })) === 202) stored += 1;
  };
  const upload = () => {
    const body = new FormData();
    body.append('file', new File(['A text to find.'], 'a.txt', { type: 'text/plain' }));
    return fetch(`${server.url}/api/v1/runtime/v1/vectors/stores/help/documents`, {
      method: 'POST',
      headers: { 'x-api-key': key },
      body,
      signal: AbortSignal.timeout(20_000),
    }).then((response) => response.status);
  };
  const query = JSON.stringify({ eventName: 'load', mode: 'aggregate' });
  for (let round = 0; round < 6; round += 1) {
    await ingest({ body: events });
    await ingest({ body: gzipSync(events), headers: { 'content-encoding': 'gzip' } });
    await ask(`${EVENTS}/query`, { method: 'POST', body: query });
    await upload().catch((error: Error) => assert.notEqual(error.name, 'TimeoutError'));
  }
  let seen = 0;
  await eventually(
    'no more exceptions',
    async () => {
      const isOver = sites().size === seen && seen > 0;
      seen = sites().size;
      await new Promise((next) => setTimeout(next, 700));
      return isOver;
    },
    20_000,
  );
  assert.equal(server.child.exitCode, null, server.output().stderr);
  for (const wanted of [/^threads\/call-thread/, /^http\/body/, /^core\//]) {
    assert.ok(
      [...sites()].some((site) => wanted.test(site)),
      `${wanted}: nothing was injected there`,
    );
  }
  await ingest({ body: events });
  assert.equal(await ask('/readyz'), 200);
  const { body } = await eventually(
    'what was acknowledged is counted',
    async () => {
      const answer = await server.request(key, 'POST', `${EVENTS}/query`, { eventName: 'load', mode: 'aggregate' });
      return answer.body.rows?.[0]?.count >= stored && answer;
    },
    10_000,
  ).then(({ found }) => found);
  assert.ok(stored > 6 && body.rows[0].count >= stored, `${stored} acknowledged`);
  assert.equal((await server.end('SIGTERM')).code, 0);
});
