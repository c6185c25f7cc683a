import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import BetterSqlite3 from 'better-sqlite3';
import { openState } from '../../../src/app/state.ts';
import { loadConfig } from '../../../src/config.ts';
import { acceptLoss, findingsOfFiles } from '../../../src/doctor/files.ts';
import { DuckdbEventStore } from '../../../src/storage/events/duckdb/store.ts';
import { makeDataDirectory } from '../../../src/storage/installation/data-directory.ts';
import { createExclusively, giveTreeToOwner, removeOwn, writeDurably } from '../../../src/storage/installation/disk.ts';
import { Installation } from '../../../src/storage/installation/installation.ts';
import {
  EVENTS_FILE,
  INSTALLATION_FILE,
  KNOWLEDGE_FILE,
  SPOOL_FILE,
  STATE_FILE,
  STORES,
} from '../../../src/storage/installation/names.ts';
import { isUnusableFile } from '../../../src/storage/installation/unusable.ts';
import { openKnowledgeStore } from '../../../src/storage/knowledge/sqlite/thread.ts';
import { FileLock } from '../../../src/storage/state/sqlite/lock.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { whileOpen } from '../../support/backup.ts';
import { storeOptions } from '../../support/event-store.ts';
import { ingested } from '../../support/knowledge.ts';
import { rareTest } from '../../support/rare.ts';
import { scopeOfThisFile } from '../../support/shared.ts';

const wholeFile = scopeOfThisFile();
let whole = '';
/** The result of a first start, before anything is stored. */
let empty: Promise<string> | undefined;

before(async () => {
  whole = join(temporaryDirectory(wholeFile), 'data');
  await whileOpen(whole, async (app) => {
    await app.ingest([{ eventName: 'seen' }]);
    await ingested(app, { name: 'a.txt', content: 'known' });
  });
});

test('Installation: a start lists each new store, with the id inside it', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const state = await openState(configOf(dataDir));
  assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE]);
  await state.close();
  await whileOpen(dataDir, async (app) => {
    assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE, SPOOL_FILE, EVENTS_FILE]);
    await ingested(app, { name: 'a.txt', content: 'known' });
  });
  const installation = Installation.find(dataDir)!;
  for (const name of STORES) {
    assert.deepEqual(installation.identityOf(name), { installationId: installation.id, isMarked: true }, name);
  }
  for (const name of [STATE_FILE, SPOOL_FILE, KNOWLEDGE_FILE]) assert.equal(idIn(join(dataDir, name)), installation.id);
});

test('Installation: processes that start at once agree on one id', async (t) => {
  const dataDir = join(temporaryDirectory(t), 'data');
  const states = await Promise.all([1, 2, 3, 4].map(() => openState(configOf(dataDir))));
  for (const state of states) await state.close();
  assert.equal(idIn(join(dataDir, STATE_FILE)), Installation.find(dataDir)?.id);
});

rareTest('Installation: a first start interrupted anywhere can be repeated', async (t) => {
  const { id } = Installation.find(whole)!;
  const nothing = (_dataDir: string) => undefined;
  const unlisted = { format: 1, installationId: id, files: {} };
  for (const made of [
    [],
    [STATE_FILE],
    [EVENTS_FILE],
    [STATE_FILE, EVENTS_FILE],
    [STATE_FILE, EVENTS_FILE, SPOOL_FILE],
  ]) {
    for (const last of [nothing, (dataDir: string) => truncateSync(join(dataDir, made.at(-1) ?? ''), 0)]) {
      if (last !== nothing && (made.length === 0 || made.at(-1) === EVENTS_FILE)) continue;
      const dataDir = join(temporaryDirectory(t), 'data');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, INSTALLATION_FILE), JSON.stringify(unlisted));
      writeFileSync(join(dataDir, `${INSTALLATION_FILE}.partial`), '{"for');
      // As a start leaves them, still empty.
      for (const name of made) cpSync(join(await emptyInstallation(id), name), join(dataDir, name));
      last(dataDir);
      await whileOpen(dataDir, async (app) => {
        await app.ingest([{ eventName: 'seen' }]);
      });
      assert.deepEqual(await failuresIn(dataDir), [], made.join());
      assert.equal(Installation.find(dataDir)?.id, id);
    }
  }
});

rareTest('Installation: an accepted loss is set aside, and the rest continues', async (t) => {
  for (const name of STORES) {
    const dataDir = copyOf(t);
    truncateSync(join(dataDir, name), 100);
    assert.equal((await failuresIn(dataDir)).length, 1, name);
    const movedTo = acceptLoss(dataDir, name, 0)!;
    assert.ok(readdirSync(movedTo).includes(name));
    assert.deepEqual(await failuresIn(dataDir), [], name);
    await whileOpen(dataDir, async (app) => {
      await app.ingest([{ eventName: 'more' }]);
    });
    assert.deepEqual(await failuresIn(dataDir), [], name);
  }
  assert.throws(() => acceptLoss(copyOf(t), 'uploads', 0), /--accept-loss: must be one of state\.sqlite, /);
});

test('Installation: a lost manifest is rebuilt with the id in the stores', async (t) => {
  const dataDir = copyOf(t);
  const { id } = Installation.find(dataDir)!;
  rmSync(join(dataDir, INSTALLATION_FILE));
  await assert.rejects(
    openState(configOf(dataDir)),
    /installation\.json is missing, .*version 0\.1, which cannot be read/,
  );
  assert.equal(acceptLoss(dataDir, INSTALLATION_FILE, 0), null);
  assert.deepEqual(await failuresIn(dataDir), []);
  await whileOpen(dataDir, async () => undefined);
  assert.deepEqual([Installation.find(dataDir)?.id, Installation.find(dataDir)?.listed.length], [id, STORES.length]);
});

test('Installation: additions of another process are not undone', (t) => {
  const dataDir = temporaryDirectory(t);
  const [one, other] = [Installation.open(dataDir), Installation.open(dataDir)];
  one.made(STATE_FILE);
  other.made(SPOOL_FILE);
  assert.deepEqual(Installation.find(dataDir)?.listed, [STATE_FILE, SPOOL_FILE]);
  assert.equal(readFileSync(join(dataDir, INSTALLATION_FILE), 'utf8').includes(one.id), true);
});

async function emptyInstallation(id: string): Promise<string> {
  empty ??= (async () => {
    const dataDir = join(temporaryDirectory(wholeFile), 'data');
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, INSTALLATION_FILE), JSON.stringify({ format: 1, installationId: id, files: {} }));
    await whileOpen(dataDir, async () => undefined);
    return dataDir;
  })();
  return empty;
}

function copyOf(t: TestContext): string {
  const dataDir = join(temporaryDirectory(t), 'data');
  cpSync(whole, dataDir, { recursive: true });
  return dataDir;
}

function configOf(dataDir: string) {
  return loadConfig({ dataDir, logLevel: 'silent' }, {}, {});
}

async function failuresIn(dataDir: string): Promise<string[]> {
  const findings = await findingsOfFiles({ dataDir }, false);
  return findings.filter(({ status }) => status === 'failed').map(({ message }) => message);
}

function idIn(path: string): unknown {
  const database = new BetterSqlite3(path, { readonly: true });
  try {
    return database.prepare('SELECT id FROM installation_id').pluck().get();
  } finally {
    database.close();
  }
}

const NOBODY = 65_534;
const skip = process.geteuid?.() === 0 ? false : 'only root can give files away';

function refusalOf(path: string): string | null {
  try {
    makeDataDirectory(path);
    return null;
  } catch (error) {
    assert.ok(isUnusableFile(error), String(error));
    return error.message;
  }
}

const PLACES: [what: string, refused: RegExp | null, mode: number, uid: number, prepare?: (path: string) => void][] = [
  ['of this user, open to all', null, 0o777, 0],
  ['of a service, which writes there alone', null, 0o755, NOBODY],
  ['of a service, for its own group', null, 0o775, NOBODY],
  ['of another user, open to all', /others may write there.*`chmod go-w .*`chown -R 0:0/, 0o777, NOBODY],
  ['with a link of this user', null, 0o700, 0, (path) => symlinkSync('/nowhere', join(path, 'state.sqlite'))],
  ...['state.sqlite', 'state.sqlite-wal', 'events.duckdb', 'spool.sqlite-shm', 'owner.lock', 'uploads', 'anything'].map(
    (name) =>
      [
        `with a link at ${name}`,
        new RegExp(`${name} is a link that user ${NOBODY} has made`),
        0o777,
        0,
        (path: string) => {
          symlinkSync('/nowhere', join(path, name));
          lchownSync(join(path, name), NOBODY, NOBODY);
        },
      ] as (typeof PLACES)[number],
  ),
  [
    'of a service, with another name of a file of root',
    /spool\.sqlite is a link/,
    0o700,
    NOBODY,
    (path) => {
      writeFileSync(`${path}-of-root`, '');
      linkSync(`${path}-of-root`, join(path, 'spool.sqlite'));
    },
  ],
];

for (const [what, refused, mode, uid, prepare] of PLACES) {
  test(`makeDataDirectory: ${refused ? 'refuses' : 'accepts'} one ${what}`, { skip }, (t) => {
    const path = join(temporaryDirectory(t), 'data');
    mkdirSync(path);
    prepare?.(path);
    chownSync(path, uid, uid);
    chmodSync(path, mode);
    if (refused) assert.match(refusalOf(path) ?? '', refused);
    else assert.equal(refusalOf(path), null);
  });
}

test('Stores: a link that was made after the start is refused when they open', { skip }, async (t) => {
  const directory = temporaryDirectory(t);
  makeDataDirectory(directory);
  chmodSync(directory, 0o777);
  symlinkSync('/nowhere', join(directory, 'events.duckdb'));
  lchownSync(join(directory, 'events.duckdb'), NOBODY, NOBODY);
  await assert.rejects(DuckdbEventStore.open(storeOptions(directory)), /events\.duckdb is a link/);
  const knowledge = openKnowledgeStore(directory, { onFault: () => undefined });
  t.after(() => knowledge.close());
  await assert.rejects(knowledge.listStores('t'));
  assert.throws(() => new FileLock(join(directory, 'owner.lock')), /events\.duckdb is a link/);
  assert.deepEqual(readdirSync(directory), ['events.duckdb']);
});

test('makeDataDirectory: a link to a directory counts as its owner', { skip }, (t) => {
  const home = temporaryDirectory(t);
  mkdirSync(join(home, 'data'));
  symlinkSync('data', join(home, 'own'));
  symlinkSync('data', join(home, 'foreign'));
  lchownSync(join(home, 'foreign'), NOBODY, NOBODY);
  assert.equal(refusalOf(join(home, 'own')), null);
  assert.match(refusalOf(join(home, 'foreign'))!, /foreign is a link/);
});

test('makeDataDirectory: names what is in the way', (t) => {
  const file = join(temporaryDirectory(t), 'file');
  writeFileSync(file, '');
  assert.match(refusalOf(file)!, /file is not a directory\. Move it aside/);
  assert.match(refusalOf(join(file, 'data'))!, /file is not a directory\. Move it aside/);
});

test('giveToOwner: files of root belong to the owner of their directory', (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root can give files away');
  const directory = temporaryDirectory(t);
  chownSync(directory, NOBODY, NOBODY);
  writeDurably(join(directory, 'secret.key'), 'text');
  writeDurably(join(directory, 'new.json'), 'text', { isNew: true });
  new FileLock(join(directory, 'lock')).close();
  for (const name of ['secret.key', 'new.json', 'lock']) {
    const { uid, mode } = statSync(join(directory, name));
    assert.deepEqual([uid, mode & 0o777], [NOBODY, 0o600], name);
  }
});

test('giveTreeToOwner: all of root there; links, other names and pipes are left', (t) => {
  if (process.geteuid?.() !== 0) return t.skip('only root can give files away');
  const [directory, elsewhere] = [temporaryDirectory(t), temporaryDirectory(t)];
  chownSync(directory, NOBODY, NOBODY);
  mkdirSync(join(directory, 'uploads'));
  writeFileSync(join(directory, 'uploads/a.pdf'), 'text');
  writeFileSync(join(elsewhere, 'of-root'), 'text');
  linkSync(join(elsewhere, 'of-root'), join(directory, 'other-name'));
  symlinkSync(join(elsewhere, 'of-root'), join(directory, 'link'));
  symlinkSync(elsewhere, join(directory, 'linked-directory'));
  execFileSync('mkfifo', [join(directory, 'pipe')]);
  giveTreeToOwner(directory);
  const owners = ['uploads', 'uploads/a.pdf', 'other-name'].map((name) => statSync(join(directory, name)).uid);
  assert.deepEqual(owners, [NOBODY, NOBODY, 0]);
  assert.equal(statSync(elsewhere).uid, 0);
});

test('createExclusively(): the file is for this user and replaces an own leftover', (t) => {
  const path = join(temporaryDirectory(t), 'a');
  writeFileSync(path, 'left by a kill', { mode: 0o666 });
  writeSync(createExclusively(path), 'new');
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('createExclusively(): a link is not followed, dangling or not', (t) => {
  const directory = temporaryDirectory(t);
  const [path, target] = [join(directory, 'a'), join(directory, 'target')];
  symlinkSync(target, path);
  assert.throws(() => createExclusively(path), /a exists, and is a link or was made by another user\. Remove it/);
  assert.equal(existsSync(target), false);
  writeFileSync(target, 'as it was');
  assert.throws(() => createExclusively(path), /is a link or was made by another user/);
  removeOwn(path);
  assert.ok(lstatSync(path).isSymbolicLink());
  assert.equal(readFileSync(target, 'utf8'), 'as it was');
});

test("createExclusively(): another user's file is neither written nor removed", (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root can make a file of another user');
  const path = join(temporaryDirectory(t), 'a');
  writeFileSync(path, '', { mode: 0o666 });
  chownSync(path, 65_534, 65_534);
  assert.throws(() => createExclusively(path), /was made by another user/);
  removeOwn(path);
  assert.equal(statSync(path).uid, 65_534);
});
