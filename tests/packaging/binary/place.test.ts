import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UnusableCache, unpackForUser } from '../../../packaging/binary/boot/place.ts';
import { temporaryDirectory } from '../../support/app.ts';
import { contents, mountedDisk } from './support.ts';

const skip = process.platform === 'win32' && 'Windows has no modes';
const NOBODY = 65_534;

function refusal(cache: string, held = contents()): string {
  try {
    unpackForUser(held, { AGENT_RUNTIME_CACHE_DIR: cache });
  } catch (error) {
    assert.ok(error instanceof UnusableCache, String(error));
    return error.message;
  }
  return assert.fail('It was not refused.');
}

test('Cache place: the setting, the service manager, then the cache of the user', { skip }, (t) => {
  const [home, named] = [temporaryDirectory(t), join(temporaryDirectory(t), 'a', 'b')];
  const version = '1.2.3-0123456789abcdef';
  const environment = { HOME: home, AGENT_RUNTIME_CACHE_DIR: named, CACHE_DIRECTORY: join(home, 'service') };
  assert.equal(unpackForUser(contents(), environment), join(named, version));
  assert.equal(
    unpackForUser(contents(), { ...environment, AGENT_RUNTIME_CACHE_DIR: undefined }),
    join(home, 'service', version),
  );
  const ofSystemd = join(home, 'dynamic');
  symlinkSync(join(home, 'service'), ofSystemd);
  assert.equal(unpackForUser(contents(), { CACHE_DIRECTORY: ofSystemd }), join(home, 'service', version));
  assert.equal(unpackForUser(contents(), { HOME: home }), join(home, '.cache/agent-runtime', version));
});

test('Cache place: what others could change is refused, by name', { skip }, (t) => {
  const directory = () => {
    const path = join(temporaryDirectory(t), 'cache');
    mkdirSync(path, { mode: 0o700 });
    return path;
  };
  const open = directory();
  chmodSync(open, 0o777);
  assert.match(refusal(open), /: other users can write to .*cache\. Set AGENT_RUNTIME_CACHE_DIR/);
  const link = join(temporaryDirectory(t), 'link');
  symlinkSync(directory(), link);
  assert.match(refusal(link), /link is not a directory/);
  const file = join(temporaryDirectory(t), 'file');
  writeFileSync(file, '');
  assert.match(refusal(file), /file is not a directory/);
  if (process.geteuid?.() !== 0) return;
  const foreign = directory();
  chownSync(foreign, NOBODY, NOBODY);
  assert.match(refusal(foreign), /cache belongs to another user/);
});

test('Cache place: a place where nothing can be made is refused at once', { skip }, () => {
  assert.match(refusal('/proc/nowhere/cache'), /cannot unpack into \/proc\/nowhere\/cache: .*Set AGENT_RUNTIME/);
  assert.match(refusal('/dev/null/cache'), /cannot unpack/);
});

test('Cache place: a full disk says how much is needed, and nothing is left', (t) => {
  const disk = mountedDisk(t, 'size=64k');
  if (!disk) return t.skip('this user cannot mount');
  const large = contents('1.2.3', { 'a.js': 'a', 'b.js': 'b'.repeat(3_000_000) });
  assert.match(refusal(disk.path, large), /the disk is full\. Free 4 MB, or set AGENT_RUNTIME_CACHE_DIR/);
  assert.deepEqual(readdirSync(disk.path), []);
});

test('Cache place: disks that allow no code, or no writing, are named as such', (t) => {
  const noexec = mountedDisk(t, 'size=1m,noexec');
  const readOnly = mountedDisk(t, 'size=1m');
  if (!noexec || !readOnly) return t.skip('this user cannot mount');
  assert.match(refusal(noexec.path), /does not allow running code \(it is mounted with noexec\)\. Set AGENT_RUNTIME_/);
  readOnly.remount('ro');
  assert.match(refusal(readOnly.path), /read-only file system/i);
});

test('Cache place: the directory of a version that others own or may change is refused', { skip }, (t) => {
  const cache = join(temporaryDirectory(t), 'cache');
  const version = unpackForUser(contents(), { AGENT_RUNTIME_CACHE_DIR: cache });
  chmodSync(version, 0o777);
  assert.match(refusal(cache), /other users can write to .*1\.2\.3-0123456789abcdef/);
  chmodSync(version, 0o700);
  if (process.geteuid?.() !== 0) return;
  chownSync(version, NOBODY, NOBODY);
  assert.match(refusal(cache), /1\.2\.3-0123456789abcdef belongs to another user/);
});
