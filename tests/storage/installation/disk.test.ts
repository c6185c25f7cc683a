import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createExclusively, giveTreeToOwner, removeOwn, writeDurably } from '../../../src/storage/installation/disk.ts';
import { FileLock } from '../../../src/storage/state/sqlite/lock.ts';
import { temporaryDirectory } from '../../support/app.ts';

const NOBODY = 65_534;

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
