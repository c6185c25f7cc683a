import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckdbEventStore } from '../../../src/storage/events/duckdb/store.ts';
import { makeDataDirectory } from '../../../src/storage/installation/data-directory.ts';
import { isUnusableFile } from '../../../src/storage/installation/unusable.ts';
import { openKnowledgeStore } from '../../../src/storage/knowledge/sqlite/thread.ts';
import { FileLock } from '../../../src/storage/state/sqlite/lock.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { storeOptions } from '../../support/event-store.ts';

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
