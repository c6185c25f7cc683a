import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import {
  EVENTS_FILE,
  EVENTS_LOG_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  QUARANTINE_FILE,
  SPOOL_FILE,
  STATE_FILE,
} from '../../src/storage/installation/names.ts';
import { EVENTS, temporaryDirectory } from '../support/app.ts';
import { createKey, newDataDirectory, runProgram, startServer } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';
import { runCommand } from '../support/shell.ts';

let whole: { dataDir: string; key: string };

before(async () => {
  const t = { after: (cleanup: () => void) => process.once('exit', cleanup) } as unknown as TestContext;
  const dataDir = newDataDirectory(t);
  const { key } = await createKey(dataDir);
  const server = await startServer(t, dataDir);
  const receipt = await server.ingest(
    key,
    Array.from({ length: 100 }, () => ({ eventName: 'seen' })),
  );
  await server.request(key, 'GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': receipt });
  await server.end('SIGKILL');
  assert.ok(existsSync(join(dataDir, EVENTS_LOG_FILE)));
  whole = { dataDir, key };
});

const DAMAGES: [file: string, how: string, damage: (path: string) => void][] = [
  [STATE_FILE, 'cut off', (path) => truncateSync(path, 5_000)],
  [STATE_FILE, 'empty', (path) => truncateSync(path, 0)],
  [SPOOL_FILE, 'a directory', asDirectory],
  [EVENTS_FILE, 'full of zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  [EVENTS_LOG_FILE, 'cut off', (path) => truncateSync(path, 100)],
  [KNOWLEDGE_FILE, 'no database', (path) => writeFileSync(path, Buffer.alloc(20_000, 'x'))],
  [EVENTS_FILE, 'missing', (path) => rmSync(path)],
  [STATE_FILE, 'missing', (path) => rmSync(path)],
  [SPOOL_FILE, 'missing', (path) => rmSync(path)],
  [INSTALLATION_FILE, 'missing', (path) => rmSync(path)],
];

for (const [index, [file, how, damage]] of DAMAGES.entries()) {
  // Starting a process is slow: what opens the same stores in the same way is tried with some of the damages.
  const others = [['mcp'], ['import']].filter((_, at) => index % 3 === at + 1);
  const testSome = index < 1 ? test : rareTest;
  testSome(
    `Damaged files: ${['serve', ...others, 'doctor'].join(', ')} report ${file} ${how} in one line`,
    async (t) => {
      const dataDir = copyOf(t);
      const path = join(dataDir, file);
      damage(path);
      const content = () => {
        if (!existsSync(path)) return 'missing';
        return statSync(path).isFile() ? readFileSync(path).toString('base64') : 'directory';
      };
      const damaged = content();
      const events = join(temporaryDirectory(t), 'events.ndjson');
      writeFileSync(events, '{"eventName":"more"}\n');
      const environment = { AGENT_RUNTIME_API_KEY: whole.key };
      const commands = [['serve', '--port', '0'], ...others, ['doctor', '--json']];
      const said: string[] = [];
      for (const command of commands) {
        // Nobody speaks to `mcp`, and its input stays open: it must end of its own accord.
        const input = command[0] === 'mcp' ? 'open' : '';
        const file = command[0] === 'import' ? [events] : [];
        const args = [...command, ...file, '--data-dir', dataDir];
        const ending =
          command[0] === 'doctor' ? await runCommand(args) : await runProgram(t, args, { environment, input });
        assert.equal(ending.code, command[0] === 'serve' ? 78 : 1, `${command[0]}: ${ending.stderr}`);
        assert.ok(content() === damaged, `${command[0]} changed ${file}`);
        said.push(command[0] === 'doctor' ? failureIn(ending.stdout) : lineIn(ending.stderr));
      }
      assert.equal(new Set(said).size, 1, said.join('\n'));
      assert.ok(said[0]!.startsWith(`${path} is `), said[0]);
      assert.match(said[0]!, /restore a backup.* See "When a file is damaged" in docs\/operation\.md\.$/);
    },
  );
}

test('Damaged files: an unreadable file is reported as such, not as damaged', async (t) => {
  if (process.getuid?.() === 0) return t.skip('root may read everything');
  const dataDir = copyOf(t);
  chmodSync(join(dataDir, SPOOL_FILE), 0o000);
  const { code, stderr } = await runProgram(t, ['serve', '--port', '0', '--data-dir', dataDir]);
  assert.equal(code, 78);
  assert.match(lineIn(stderr), /spool\.sqlite cannot be opened: this user may not read and write it/);
});

test('doctor: without a server it reads every file and changes none', async (t) => {
  const dataDir = copyOf(t);
  const { code, findings } = await doctor(dataDir);
  assert.equal(code, 0, JSON.stringify(findings));
  assert.match(findings.get('state database')!, /^ok: 1 tenant, 3 valid keys/);
  assert.match(findings.get('event database')!, /^ok: 100 events, schema \d+/);
  assert.match(findings.get('disk')!, /events\.duckdb .*free \(room for about /);
  for (const name of [STATE_FILE, SPOOL_FILE, EVENTS_FILE, EVENTS_LOG_FILE]) {
    assert.deepEqual(readFileSync(join(dataDir, name)), readFileSync(join(whole.dataDir, name)), name);
  }
});

test('doctor: a data directory open to others fails; a missing one is not made', async (t) => {
  const dataDir = copyOf(t);
  chmodSync(dataDir, 0o755);
  const { code, findings } = await doctor(dataDir);
  assert.deepEqual([code, findings.get('data directory')?.split(':')[0]], [1, 'failed']);
  const missing = newDataDirectory(t);
  assert.deepEqual([(await doctor(missing)).code, existsSync(missing)], [0, false]);
});

test('doctor: reports quarantined events and leftovers of a restore', async (t) => {
  const dataDir = copyOf(t);
  writeFileSync(join(dataDir, QUARANTINE_FILE), '{"at":"","tenantId":"","reason":"","content":{}}\n'.repeat(3));
  for (const name of ['restore-ready', 'before-restore-2026']) mkdirSync(join(dataDir, name));
  const { code, findings } = await doctor(dataDir);
  assert.equal(code, 0);
  assert.match(findings.get('quarantine')!, /^warning: 3 events .*quarantine\.ndjson: each line says why/);
  assert.match(findings.get('restore')!, /before-restore-2026/);
  writeFileSync(join(dataDir, QUARANTINE_FILE), '{"at":\n');
  assert.match((await doctor(dataDir)).findings.get('quarantine')!, /^warning: .*1 lines of 1 that are not JSON/);
  rmSync(join(dataDir, STATE_FILE));
  assert.match((await doctor(dataDir)).findings.get('state database')!, /^failed: .*state\.sqlite is missing/);
  const cutOff = newDataDirectory(t);
  mkdirSync(join(cutOff, 'restore-staging'), { recursive: true });
  assert.match(
    (await doctor(cutOff)).findings.get('files')!,
    /^failed: .*restore-staging is of a restore that was cut off/,
  );
});

rareTest('doctor: reports the state of the event store of a running server', async (t) => {
  const dataDir = copyOf(t);
  const server = await startServer(t, dataDir);
  const receipt = await server.ingest(whole.key, [{ eventName: 'more' }]);
  await server.request(whole.key, 'GET', `${EVENTS}/feed`, undefined, { 'x-wait-for': receipt });
  const { code, findings } = await doctor(dataDir);
  assert.equal(code, 0, JSON.stringify([...findings]));
  assert.match(findings.get('server')!, /^ok: serve, process \d+, http:.*: ready/);
  assert.match(findings.get('backlog')!, /^ok: 0 batches, 0 bytes of at most 256 MB/);
  assert.match(findings.get('freshness')!, /queryable after \d\.\d s on average/);
  assert.match(findings.get('flush')!, /^ok/);
  assert.match(findings.get('properties')!, /^ok: .* property columns for 1 tenant/);
  assert.equal(findings.has('event database'), false, 'the server has it open');
});

function copyOf(t: TestContext): string {
  const dataDir = newDataDirectory(t);
  // Not its sockets, and not the locks of a process that is gone.
  cpSync(whole.dataDir, dataDir, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  return dataDir;
}

async function doctor(dataDir: string) {
  const { code, stdout } = await runCommand(['doctor', '--json', '--data-dir', dataDir]);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] };
  return { code, findings: new Map(findings.map(({ check, status, message }) => [check, `${status}: ${message}`])) };
}

function failureIn(stdout: string): string {
  const { findings } = JSON.parse(stdout) as { findings: { status: string; message: string }[] };
  const failed = findings.filter(({ status }) => status === 'failed').map(({ message }) => message);
  assert.equal(failed.length, 1, failed.join('\n'));
  return failed[0]!;
}

function lineIn(stderr: string): string {
  const lines = stderr.trimEnd().split('\n');
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0]!, /^error: /);
  return lines[0]!.slice('error: '.length);
}

function asDirectory(path: string): void {
  rmSync(path);
  mkdirSync(path);
}
