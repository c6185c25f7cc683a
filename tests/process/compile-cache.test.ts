import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { temporaryDirectory } from '../support/app.ts';
import { BIN, readyUrl, startServe } from '../support/process.ts';
import { rareTest } from '../support/rare.ts';

const onWindows = process.platform === 'win32' && 'Windows has no modes';
const NOBODY = 65_534;

type Environment = Record<string, string>;

const { privateCompileCache } = (await import(new URL('../../bin/compile-cache.js', import.meta.url).href)) as {
  privateCompileCache: (environment: Environment) => string | null;
};

rareTest('Compile cache: code planted by another user in the temp directory is not run', async (t) => {
  const temporary = temporaryDirectory(t);
  const shared = join(temporary, 'node-compile-cache');
  mkdirSync(shared);
  chmodSync(shared, 0o777);
  await help({ NODE_COMPILE_CACHE: shared });
  const poisoned = entriesOf(shared).filter((path) => poison(path, 'Business events in', 'Code of another user'));
  assert.equal(poisoned.length, 1, 'one module has the text that help prints');

  assert.match(await help({ NODE_COMPILE_CACHE: shared }), /Code of another user/, 'Node.js trusts an entry');
  const before = entriesOf(shared);
  assert.match(await help({ TMPDIR: temporary }), /Business events in/);
  assert.deepEqual(entriesOf(shared), before, 'nothing is written there either');
});

rareTest('Compile cache: a server without a home directory has none in any thread', async (t) => {
  const temporary = temporaryDirectory(t);
  delete process.env.NODE_COMPILE_CACHE; // The cache of the tests.
  const environment = { TMPDIR: temporary, TEMP: temporary, HOME: '', XDG_CACHE_HOME: '', LOCALAPPDATA: '' };
  const server = startServe(t, join(temporaryDirectory(t), 'data'), 0, { environment });
  await readyUrl(server);
  await server.end('SIGTERM');
  assert.deepEqual(readdirSync(temporary), []);
});

test('Compile cache: its directory is private to this user, and used', { skip: onWindows }, async (t) => {
  const caches = join(temporaryDirectory(t), 'caches');
  await help({ XDG_CACHE_HOME: caches, HOME: caches });
  const directory = privateCompileCache({ XDG_CACHE_HOME: caches, HOME: caches });
  assert.ok(directory);
  assert.equal(lstatSync(directory).mode & 0o777, 0o700);
  assert.ok(entriesOf(directory).length > 10);
});

test('Compile cache: without an absolute cache directory of the user it is off', () => {
  for (const environment of [{}, { HOME: '' }, { HOME: 'here' }, { HOME: '/dev/null' }] as Environment[]) {
    assert.equal(privateCompileCache(environment), null, JSON.stringify(environment));
  }
});

test('Compile cache: a directory that another user can write or replace is not used', {
  skip: onWindows,
}, async (t) => {
  const spoil: Record<string, (directory: string, home: string) => void> = {
    'writable by all': (directory) => chmodSync(directory, 0o777),
    'writable by its group': (directory) => chmodSync(directory, 0o770),
    'writable by all, with the sticky bit': (directory) => chmodSync(directory, 0o1777),
    'a parent is writable by all': (directory) => chmodSync(dirname(directory), 0o777),
    'the home directory is writable by its group': (_, home) => chmodSync(home, 0o775),
    'a link': (directory, home) => replaceByLink(directory, join(home, 'elsewhere')),
    'a file': (directory) => replaceByFile(directory),
  };
  if (process.geteuid?.() === 0) {
    spoil['of another user'] = (directory) => chownSync(directory, NOBODY, NOBODY);
    spoil['a parent is of another user'] = (directory) => chownSync(dirname(directory), NOBODY, NOBODY);
  }
  for (const [name, change] of Object.entries(spoil)) {
    const home = temporaryDirectory(t);
    const directory = privateCompileCache({ HOME: home });
    assert.ok(directory);
    change(directory, home);
    assert.equal(privateCompileCache({ HOME: home }), null, name);
  }
});

test('Compile cache: it is off below a home directory that others can write', { skip: onWindows }, (t) => {
  const home = temporaryDirectory(t);
  chmodSync(home, 0o777);
  assert.equal(privateCompileCache({ HOME: home }), null);
  assert.deepEqual(readdirSync(home), []);
});

/** What `--help` prints, under these variables alone. */
async function help(environment: Environment): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, '--help'], { env: environment });
  return stdout;
}

/** The files below a directory, in order. */
function entriesOf(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => lstatSync(path).isFile())
    .sort();
}

/** The header of an entry: five 32-bit numbers. The third is the size of what follows, the fifth its CRC-32. */
const HEADER = { bytes: 20, size: 8, checksum: 16 };

function poison(path: string, from: string, to: string): boolean {
  const entry = readFileSync(path);
  const code = entry.subarray(HEADER.bytes);
  if (!code.includes(from)) return false;
  const changed = Buffer.from(code.toString('latin1').replace(from, to), 'latin1');
  const header = Buffer.from(entry.subarray(0, HEADER.bytes));
  header.writeUInt32LE(changed.length, HEADER.size);
  header.writeUInt32LE(crc32(changed), HEADER.checksum);
  writeFileSync(path, Buffer.concat([header, changed]));
  return true;
}

function replaceByLink(directory: string, elsewhere: string): void {
  mkdirSync(elsewhere, { mode: 0o700 });
  rmSync(directory, { recursive: true });
  symlinkSync(elsewhere, directory);
}

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true });
  writeFileSync(path, '');
}
