import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { mayBeInBackup, storedFiles } from '../../src/backup/files.ts';
import {
  discardRestore,
  finishRestore,
  refuseCutOff,
  refuseHalfRestored,
  replaceWithStaged,
  stageRestore,
} from '../../src/backup/replace.ts';
import { EVENTS_FILE, QUARANTINE_FILE, SPOOL_FILE, STATE_FILE } from '../../src/storage/installation/names.ts';
import { temporaryDirectory } from '../support/app.ts';

const OLD = ['events.duckdb', 'events.duckdb.wal', 'secret.key', 'spool.sqlite', 'state.sqlite', 'state.sqlite-wal'];
const NEW = ['events.duckdb', 'quarantine.ndjson', 'secret.key', 'spool.sqlite', 'state.sqlite'];
const KEPT = ['first-run.txt', 'owner.lock'];

function prepare(t: TestContext): string {
  const dataDir = temporaryDirectory(t);
  for (const name of [...OLD, ...KEPT]) writeFileSync(join(dataDir, name), `old ${name}`);
  const staged = stageRestore(dataDir);
  for (const name of NEW) writeFileSync(join(staged, name), `new ${name}`);
  return dataDir;
}

/** What is in a directory, without the directories in it. */
function contentOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(directory, name), 'utf8')]));
}

const all = (names: string[], what: string) =>
  Object.fromEntries([...names].sort().map((name) => [name, `${what} ${name}`]));

test('replaceWithStaged: replaces the present files and moves them aside', (t) => {
  const dataDir = prepare(t);
  const before = replaceWithStaged(dataDir, Date.parse('2026-01-02T03:04:05.678Z'));
  assert.equal(before, join(dataDir, 'before-restore-2026-01-02T030405.678Z'));
  assert.deepEqual(contentOf(dataDir), { ...all(KEPT, 'old'), ...all(NEW, 'new') });
  assert.deepEqual(contentOf(before), all(OLD, 'old'));
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('restore-')),
    [],
  );
});

test('replaceWithStaged: an empty directory has nothing aside; secret.key stays', (t) => {
  const empty = temporaryDirectory(t);
  writeFileSync(join(stageRestore(empty), 'state.sqlite'), 'new');
  assert.equal(replaceWithStaged(empty, 0), null);
  assert.deepEqual(readdirSync(empty), ['state.sqlite']);
  writeFileSync(join(empty, 'secret.key'), 'old');
  writeFileSync(join(stageRestore(empty), 'state.sqlite'), 'newer');
  replaceWithStaged(empty, 0);
  assert.deepEqual(contentOf(empty), { 'secret.key': 'old', 'state.sqlite': 'newer' });
});

test('replaceWithStaged: after any failure the old state is intact or finished later', (t) => {
  const renames = 1 + OLD.length + NEW.length;
  for (let survived = 0; survived <= renames; survived++) {
    const dataDir = prepare(t);
    let left = survived;
    const dyingRename = (from: string, to: string) => {
      if (left-- === 0) throw new Error('killed');
      renameSync(from, to);
    };
    if (survived < renames) assert.throws(() => replaceWithStaged(dataDir, 0, dyingRename), /killed/);
    else replaceWithStaged(dataDir, 0, dyingRename);
    const decided = survived > 0;
    const halfDone = decided && survived < renames;
    if (halfDone) assert.throws(() => refuseHalfRestored(dataDir), /cut off/);
    else refuseHalfRestored(dataDir);
    // One that is killed in its turn, then one that is not.
    left = 2;
    if (halfDone && survived < renames - 2) assert.throws(() => finishRestore(dataDir, dyingRename), /killed/);
    finishRestore(dataDir);
    const wanted = decided ? { ...all(KEPT, 'old'), ...all(NEW, 'new') } : all([...OLD, ...KEPT], 'old');
    assert.deepEqual(contentOf(dataDir), wanted, `after ${survived} of ${renames}`);
    const before = join(dataDir, 'before-restore-1970-01-01T000000.000Z');
    if (decided) assert.deepEqual(contentOf(before), all(OLD, 'old'));
    assert.equal(existsSync(join(dataDir, 'restore-staging')), false);
    refuseHalfRestored(dataDir);
  }
});

test('refuseCutOff: a restore that was to make the installation must be repeated', (t) => {
  const dataDir = temporaryDirectory(t);
  refuseCutOff(dataDir);
  stageRestore(dataDir);
  assert.throws(() => refuseCutOff(dataDir), /restore-staging is of a restore that was cut off.*Repeat the `restore`/);
  assert.throws(() => refuseHalfRestored(dataDir), /Repeat the `restore`/);
  // The restore itself begins anew.
  stageRestore(dataDir);
  discardRestore(dataDir);
  refuseCutOff(dataDir);
  stageRestore(dataDir);
  writeFileSync(join(dataDir, STATE_FILE), 'present');
  refuseCutOff(dataDir);
});

test('mayBeInBackup: accepts every file of a store and no path outside the directory', (t) => {
  const files = [STATE_FILE, EVENTS_FILE, SPOOL_FILE, QUARANTINE_FILE, `${EVENTS_FILE}.wal`, `${SPOOL_FILE}-wal`];
  for (const name of files) assert.ok(mayBeInBackup(name), name);
  for (const name of ['../state.sqlite', '/etc/passwd', 'x', 'owner.lock', 'a/state.sqlite', '']) {
    assert.equal(mayBeInBackup(name), false, name);
  }
  const directory = temporaryDirectory(t);
  mkdirSync(join(directory, 'snapshots'));
  for (const name of [...files, 'secret.key', 'runtime.sock']) writeFileSync(join(directory, name), '');
  assert.deepEqual(storedFiles(directory), files.sort());
});
