import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createExclusively, removeOwn } from '../../../src/storage/installation/exclusive-file.ts';
import { temporaryDirectory } from '../../support/app.ts';

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
