import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { unpack } from '../../../packaging/binary/boot/unpack.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { contents, mountedDisk } from './support.ts';

const DAY_S = 86_400;

test('Unpacking: every file once, private, native libraries executable', (t) => {
  const root = temporaryDirectory(t);
  const directory = unpack(root, contents());
  assert.deepEqual(readdirSync(root), ['1.2.3-0123456789abcdef']);
  assert.equal(readFileSync(join(directory, 'bin/program.js'), 'utf8'), 'start()');
  assert.equal(statSync(join(directory, 'bin/program.js')).mode & 0o777, 0o400);
  assert.equal(statSync(join(directory, 'node_modules/n/native.node')).mode & 0o777, 0o500);
  const refusing = { ...contents(), read: () => assert.fail('nothing is read a second time') };
  assert.equal(unpack(root, refusing), directory);
});

test('Unpacking: a truncated, a missing and an extra-long file are repaired', (t) => {
  const root = temporaryDirectory(t);
  const directory = unpack(root, contents());
  for (const length of [0, 100]) {
    truncateSync(join(directory, 'dist/chunks/a.js'), length);
    assert.equal(unpack(root, contents()), directory);
    assert.equal(readFileSync(join(directory, 'dist/chunks/a.js'), 'utf8'), 'export {}');
  }
  assert.deepEqual(readdirSync(root), ['1.2.3-0123456789abcdef'], 'nothing is left over');
});

test('Unpacking: five processes at once leave one complete directory', async (t) => {
  const root = temporaryDirectory(t);
  const module = join(import.meta.dirname, 'unpack-child.ts');
  const children = Array.from({ length: 5 }, () => fork(module, [root]));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0, 0]);
  assert.deepEqual(readdirSync(root), ['1.2.3-0123456789abcdef']);
});

test('Unpacking: five processes at once repair a damaged directory', async (t) => {
  const root = temporaryDirectory(t);
  const directory = unpack(root, contents());
  truncateSync(join(directory, 'dist/chunks/a.js'), 0);
  const module = join(import.meta.dirname, 'unpack-child.ts');
  const children = Array.from({ length: 5 }, () => fork(module, [root]));
  const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0]));
  assert.deepEqual(codes, [0, 0, 0, 0, 0]);
  assert.deepEqual(readdirSync(root), ['1.2.3-0123456789abcdef']);
  assert.equal(readFileSync(join(directory, 'dist/chunks/a.js'), 'utf8'), 'export {}');
});

test('Unpacking: killed midway, the next one succeeds, and the rest goes after an hour', async (t) => {
  const root = temporaryDirectory(t);
  const child = fork(join(import.meta.dirname, 'unpack-child.ts'), [root, 'die']);
  await once(child, 'exit');
  const [left] = readdirSync(root);
  assert.match(left!, /^\.unpacking-/);
  const directory = unpack(root, contents());
  assert.ok(existsSync(join(root, left!)), 'another process may be unpacking it');
  makeOlder(join(root, left!), 2 * 3_600);
  unpack(root, contents());
  assert.deepEqual([existsSync(join(root, left!)), existsSync(directory)], [false, true]);
});

test('Unpacking: versions unused for 30 days go, used ones and other files stay', (t) => {
  const root = temporaryDirectory(t);
  const [unused, running] = [unpack(root, contents('0.9.0')), unpack(root, contents('1.0.0'))];
  for (const ofOthers of ['compiled', '2.0.0-fedcba9876543210']) mkdirSync(join(root, ofOthers));
  makeOlder(join(unused, '.used'), 31 * DAY_S);
  makeOlder(join(running, '.used'), 29 * DAY_S);
  makeOlder(join(root, 'compiled'), 100 * DAY_S);
  unpack(root, contents());
  assert.deepEqual(readdirSync(root).sort(), [
    '1.0.0-0123456789abcdef',
    '1.2.3-0123456789abcdef',
    '2.0.0-fedcba9876543210',
    'compiled',
  ]);
  makeOlder(join(running, '.used'), 31 * DAY_S);
  unpack(root, contents('1.0.0'));
  unpack(root, contents());
  assert.ok(existsSync(running), 'its start marked it as used');
});

test('Unpacking: what is complete starts from a read-only disk', (t) => {
  const disk = mountedDisk(t, 'size=1m');
  if (!disk) return t.skip('this user cannot mount');
  const directory = unpack(disk.path, contents());
  disk.remount('ro');
  assert.equal(unpack(disk.path, contents()), directory);
});

function makeOlder(path: string, seconds: number): void {
  const time = Date.now() / 1_000 - seconds;
  utimesSync(path, time, time);
}
