import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { giveTreeToOwner } from '../../../src/storage/installation/disk.ts';
import { writeDurably } from '../../../src/storage/installation/durable-file.ts';
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
