import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../support/app.ts';
import { newDataDirectory, runProgram } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

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
