import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openState } from '../../src/app/state.ts';
import { loadConfig } from '../../src/config.ts';
import { TOOL_CALLED } from '../../src/core/analytics/events/fields.ts';
import { deriveKey } from '../../src/core/base/sealing/secret-key.ts';
import { answersOf, eventsOf, fill, request } from '../support/answers.ts';
import { EVENTS, temporaryDirectory, testApp } from '../support/app.ts';
import { packApp, whileOpen } from '../support/backup.ts';
import {
  eventually,
  newDataDirectory,
  runProgram,
  type Server,
  startProgram,
  startServer,
} from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { scopeOfThisFile } from '../support/shared.ts';
import { runCommand, runJson } from '../support/shell.ts';
import { ENVIRONMENT, Load, storedBatches } from './kills/crash-cycles.ts';

const STAGING = 'backup-staging';
const OWN = 'the secret of this installation alone';

/** One server for all tests; the last one kills it. */
const wholeFile = scopeOfThisFile();
let started: Promise<{ server: Server; dataDir: string; key: string; otherKey: string }> | undefined;

function serving() {
  started ??= (async () => {
    const dataDir = newDataDirectory(wholeFile);
    const state = await openState(loadConfig({ dataDir }, {}, {}));
    const keyOf = async (tenantId: string) => {
      const wanted = { agentId: 'support', label: 'test', scopes: ['*'] as '*'[], expiresAt: null };
      return (await state.keys.create(tenantId, wanted, null)).key;
    };
    const key = await keyOf((await state.tenants.get('default')).id);
    const otherKey = await keyOf((await state.tenants.create({ name: 'other' })).id);
    await state.close();
    const server = await startServer(wholeFile, dataDir, { environment: ENVIRONMENT });
    return { server, dataDir, key, otherKey };
  })();
  return started;
}

/** The five calls of tools of `answersOf`, which the server records after it has answered. */
async function callsAreRecorded(endpoint: { url: string; key: string }): Promise<void> {
  const feed = `${EVENTS}/feed?eventName=${TOOL_CALLED}`;
  const all = async () => (await request(endpoint, 'GET', feed)).body.events.length === 5;
  await eventually('calls are recorded', all, 10_000);
}

rareTest('restore: a backup taken while serving gives the same answers elsewhere', async (t) => {
  const { server, dataDir, key, otherKey } = await serving();
  await fill({ url: server.url, key }, 'one');
  await fill({ url: server.url, key: otherKey }, 'two');
  const keys = [key, otherKey];
  const before = await Promise.all(keys.map((one) => answersOf({ url: server.url, key: one })));

  for (const one of keys) await callsAreRecorded({ url: server.url, key: one });

  const file = join(temporaryDirectory(t), 'a.backup');
  const made = await runJson(dataDir, 'backup', file);
  assert.deepEqual(made, {
    // 240 and the ten calls of tools.
    ...{ file, bytes: statSync(file).size, events: 250, createdAt: made.createdAt },
    ...{ secretKey: false, sealedBy: 'installation' },
  });
  assert.ok(Math.abs(Date.parse(made.createdAt) - Date.now()) < 60_000);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual([existsSync(join(dataDir, STAGING)), existsSync(`${file}.partial`)], [false, false]);
  const itself = await runCommand(['backup', join(dataDir, 'state.sqlite'), '--force', '--data-dir', dataDir]);
  assert.deepEqual([itself.code, itself.stderr.includes('belongs to what is being backed up')], [1, true]);
  const refused = await runCommand(['restore', file, '--data-dir', dataDir]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, new RegExp(`is in use \\(serve, process ${server.pid}\\)`));

  const restored = newDataDirectory(t);
  const unknown = await runCommand(['restore', file, '--data-dir', restored]);
  assert.deepEqual([unknown.code, existsSync(join(restored, 'state.sqlite'))], [1, false]);
  assert.match(unknown.stderr, /does not open with the keys that are here: set AGENT_RUNTIME_SECRET_KEY/);
  mkdirSync(restored, { recursive: true });
  cpSync(join(dataDir, 'secret.key'), join(restored, 'secret.key'));
  const { events, before: moved } = await runJson(restored, 'restore', file);
  assert.deepEqual([events, moved], [250, null]);
  const { findings } = await runJson(restored, 'doctor');
  const unwell = findings.filter(({ status }: { status: string }) => status === 'failed');
  assert.deepEqual(unwell, []);
  const app = await testApp(t, { dataDir: restored });
  const after = await Promise.all(keys.map((one) => answersOf({ url: app.url, key: one })));
  assert.deepEqual(after, before);
  assert.ok(Object.keys(before[0] ?? {}).length > 18);
  for (const [index, who] of ['one', 'two'].entries()) {
    const again = await request({ url: app.url, key: keys[index]! }, 'POST', EVENTS, { events: eventsOf(who) });
    assert.deepEqual([again.body.accepted, again.body.duplicates], [0, 120]);
  }
});

rareTest('backup: under load it holds every event acknowledged before it exactly once', async (t) => {
  const { server, dataDir, key } = await serving();
  const file = join(temporaryDirectory(t), 'a.backup');
  const load = new Load(key);
  load.aim(server);
  await eventually('events arrive', async () => load.acknowledged.length > 10, 20_000);
  const acknowledged = [...load.acknowledged];
  const made = await runJson(dataDir, 'backup', file);
  const total = load.acknowledged.length;
  await load.stop();
  assert.deepEqual(load.unexpected, []);
  assert.ok(total > acknowledged.length, 'events went on arriving');

  const restored = newDataDirectory(t);
  const { events } = await runJson(restored, 'restore', file, '--identity', join(dataDir, 'secret.key'));
  assert.equal(events, made.events);
  const app = await testApp(t, { dataDir: restored });
  const restoredServer: Pick<Server, 'request'> = {
    request: (withKey, method, path, body, headers) =>
      app.request(method, path, body, { 'x-api-key': withKey, ...headers }),
  };
  const { receipt } = await app.ingest([{ eventName: 'restored' }], key);
  const stored = await storedBatches(restoredServer, key, receipt);
  const wrong = load.sent.filter((batch) => {
    const found = stored.get(batch.marker);
    if (!found) return acknowledged.includes(batch);
    return found.events !== batch.size || found.unique !== batch.size;
  });
  assert.deepEqual(wrong, []);
});

rareTest('restore: killed midway, it leaves either the old state or the new one, complete', async (t) => {
  const app = await testApp(t);
  await app.ingest(eventsOf('new', 3_000));
  const file = await packApp(t, app, { installation: deriveKey(OWN, 'backups') });
  const key = join(temporaryDirectory(t), 'secret.key');
  writeFileSync(key, OWN);
  const target = newDataDirectory(t);
  const stateOf = () =>
    whileOpen(target, async (opened) => {
      const total = (await opened.runtime.eventStore.knownEvents(opened.tenantId, null)).length;
      const isOld = (await opened.runtime.tenants.list()).some(({ name }) => name === 'old');
      return total === 3 && !isOld ? 'new' : total === 0 && isOld ? 'old' : 'neither';
    });
  await whileOpen(target, ({ runtime }) => runtime.tenants.create({ name: 'old' }));
  for (const [attempt, wanted] of ['restore-staging', 'restore-staging/new/state.sqlite', 'restore-ready'].entries()) {
    const { child, ended } = startProgram(t, ['restore', file, '--identity', key, '--data-dir', target]);
    const isOver = () => child.exitCode !== null;
    await eventually('it unpacks', async () => existsSync(join(target, wanted)) || isOver(), 10_000);
    child.kill('SIGKILL');
    const { stdout } = await ended;
    const state = await stateOf();
    assert.notEqual(state, 'neither', `attempt ${attempt}`);
    if (stdout !== '') assert.equal(state, 'new');
  }
  assert.equal((await runJson(target, 'restore', file, '--identity', key)).events, 3_000);
  assert.equal(await stateOf(), 'new');
  assert.deepEqual(
    readdirSync(target).filter((name) => name.startsWith('restore-')),
    [],
  );
});

rareTest('backup: secret.key is packed and restored only with a passphrase', async (t) => {
  const dataDir = newDataDirectory(t);
  await whileOpen(dataDir, async () => undefined);
  const secret = join(dataDir, 'secret.key');
  const another = 'another secret, of another installation';
  writeFileSync(secret, OWN, { mode: 0o600 });
  const files = temporaryDirectory(t);
  const [sealed, passphrase] = [join(files, 'sealed'), join(files, 'passphrase')];
  writeFileSync(passphrase, 'correct horse\n');
  const environment = { AGENT_RUNTIME_BACKUP_PASSPHRASE: 'correct horse' };
  const { stdout } = await runProgram(t, ['backup', sealed, '--data-dir', dataDir], { environment });
  assert.doesNotMatch(stdout, /secret\.key/);
  writeFileSync(secret, another);
  const without = await runCommand(['restore', sealed, '--data-dir', dataDir]);
  assert.match(without.stderr, /is sealed with a passphrase, and does not open with what was given/);
  assert.equal(readFileSync(secret, 'utf8'), another);
  const { before, secretKey } = await runJson(dataDir, 'restore', sealed, '--passphrase-file', passphrase);
  assert.deepEqual([readFileSync(secret, 'utf8'), secretKey], [OWN, true]);
  assert.equal(statSync(secret).mode & 0o777, 0o600);
  assert.equal(readFileSync(join(before, 'secret.key'), 'utf8'), another);
});

rareTest('backup: a killed command or server does not block the next backup', async (t) => {
  const { server, dataDir, key } = await serving();
  const file = join(temporaryDirectory(t), 'a.backup');
  await server.ingest(key, eventsOf('more', 5_000));
  const staging = join(dataDir, STAGING);
  const backup = startProgram(t, ['backup', file, '--data-dir', dataDir]);
  await eventually('it is staged', async () => existsSync(staging), 10_000);
  await backup.end('SIGKILL');
  assert.equal(existsSync(file), false);
  assert.equal(existsSync(staging), true);
  // The server may still be at work for whoever is gone; then it says so.
  const next = () => runCommand(['backup', file, '--json', '--data-dir', dataDir]);
  const { found } = await eventually(
    'the next backup',
    async () => {
      const said = await next();
      if (said.code !== 0) assert.match(said.stderr, /is being made already\. Wait until it is done/);
      return said.code === 0 && said;
    },
    20_000,
  );
  assert.deepEqual([JSON.parse(found.stdout).events > 5_000, existsSync(staging)], [true, false]);

  const unanswered = startProgram(t, ['backup', `${file}.2`, '--data-dir', dataDir]);
  await eventually('it is staged', async () => existsSync(staging), 10_000);
  await server.end('SIGKILL');
  const { code, stderr } = await unanswered.ended;
  if (code !== 0) assert.match(stderr, /ended before it answered\. Run the command again/);
  mkdirSync(staging, { recursive: true });
  await whileOpen(dataDir, async ({ request: ask }) => {
    assert.equal(existsSync(staging), false, 'the next start clears away what a killed server left');
    assert.ok((await ask('GET', `${EVENTS}/feed?limit=1`)).body.total > 0);
  });
});

rareTest('backup: refuses a planted link or a foreign file; verifies a sealed file', async (t) => {
  const dataDir = newDataDirectory(t);
  await whileOpen(dataDir, async () => undefined);
  const files = temporaryDirectory(t);
  const [file, passphrase] = [join(files, 'a.backup'), join(files, 'passphrase')];
  writeFileSync(passphrase, 'correct horse\n');
  symlinkSync(join(files, 'target'), `${file}.partial`);
  const refused = await runCommand(['backup', file, '--data-dir', dataDir]);
  assert.deepEqual([refused.code, existsSync(file), existsSync(join(files, 'target'))], [1, false, false]);
  assert.match(refused.stderr, /a\.backup\.partial exists, and is a link or was made by another user/);
  rmSync(`${file}.partial`);
  const made = await runJson(dataDir, 'backup', file, '--passphrase-file', passphrase);
  assert.deepEqual([made.sealedBy, made.secretKey], ['passphrase', true]);
  const { findings } = await runJson(dataDir, 'doctor', '--backup', file, '--passphrase-file', passphrase);
  assert.match(findings[0].message, /as it was made$/);
  const restored = newDataDirectory(t);
  await runJson(restored, 'restore', file, '--passphrase-file', passphrase);
  assert.deepEqual(readFileSync(join(restored, 'secret.key')), readFileSync(join(dataDir, 'secret.key')));
  const { installationId } = JSON.parse(readFileSync(join(restored, 'installation.json'), 'utf8'));
  assert.equal(installationId, JSON.parse(readFileSync(join(dataDir, 'installation.json'), 'utf8')).installationId);
  writeFileSync(file, readFileSync(file).subarray(0, -1));
  const damaged = await runCommand([
    'doctor',
    '--backup',
    file,
    '--passphrase-file',
    passphrase,
    '--data-dir',
    dataDir,
  ]);
  assert.deepEqual(
    [damaged.code, /FAILED.*is damaged, changed or cut off/.test(damaged.stdout)],
    [1, true],
    damaged.stdout,
  );
});

rareTest('backup: streams to standard output, and restore from standard input', async (t) => {
  const dataDir = newDataDirectory(t);
  await whileOpen(dataDir, async ({ ingest }) => ingest(eventsOf('one', 60)));
  const [file, restored] = [join(temporaryDirectory(t), 'a.backup'), newDataDirectory(t)];
  const program = `"${process.execPath}" bin/agent-runtime.js`;
  const secret = join(dataDir, 'secret.key');
  const piped = `${program} backup - --json --data-dir "${dataDir}" | tee "${file}" | ${program} restore - --identity "${secret}" --json --data-dir "${restored}"`;
  // The key of the installation must be there before the second program reads it.
  await runJson(dataDir, 'backup', `${file}.first`);
  const { stdout, stderr } = await promisify(execFile)('sh', ['-c', piped]);
  assert.deepEqual([JSON.parse(stdout).events, JSON.parse(stdout).file], [60, 'standard input']);
  const made = JSON.parse(stderr.split('\n').find((line) => line.startsWith('{'))!);
  assert.deepEqual([made.file, made.events, made.bytes], ['standard output', 60, statSync(file).size]);
  assert.equal((await runJson(dataDir, 'restore', file)).events, 60);
});
