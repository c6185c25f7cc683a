import assert from 'node:assert/strict';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeDurably } from '../../../src/storage/files/durable-file.ts';
import { FileLock } from '../../../src/storage/sqlite/lock.ts';
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
