import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/** The content of an executable. */
export interface Contents {
  version: string;
  /** Of all files; two builds of one version have different directories. */
  hash: string;
  files: readonly UnpackedFile[];
  /** The bytes of all files, in the order of the list. */
  decompress(): Uint8Array;
}

export interface UnpackedFile {
  name: string;
  /** In bytes. */
  size: number;
}

const DAY_MS = 86_400_000;
/** An older version may be running meanwhile: it renews its mark each day. */
const UNUSED_MS = 30 * DAY_MS;
/** Longer than unpacking takes. */
const ABANDONED_MS = 3_600_000;
/** Of a damaged directory, among processes that start at once. */
const REPAIRS = 10;
const MARK = '.used';
const TEMPORARY = '.unpacking-';
const VERSION_DIRECTORY = /^\d+\.\d+\.\d+.*-[0-9a-f]{16}$/;

/**
 * Unpacks into a directory of its own below `root`, unless it is there and complete, and returns
 * it. Any number of processes may do so at once. `root` must be private to this user.
 */
export function unpack(root: string, contents: Contents): string {
  const directory = join(root, `${contents.version}-${contents.hash}`);
  if (!isComplete(directory, contents)) unpackNew(root, directory, contents);
  refuseNoexec(directory, contents);
  markUsed(directory);
  removeUnused(root, directory);
  return directory;
}

/** Keeps the directory while this process runs. */
export function keepMarked(directory: string): void {
  setInterval(() => markUsed(directory), DAY_MS).unref();
}

function isComplete(directory: string, { files }: Contents): boolean {
  return files.every(({ name, size }) => {
    const stats = lstatSync(join(directory, name), { throwIfNoEntry: false });
    return stats?.isFile() && stats.size === size;
  });
}

function unpackNew(root: string, directory: string, contents: Contents): void {
  const temporary = mkdtempSync(join(root, TEMPORARY));
  try {
    const fresh = join(temporary, 'new');
    const bytes = contents.decompress();
    let start = 0;
    for (const { name, size } of contents.files) {
      writeFile(join(fresh, name), bytes.subarray(start, start + size));
      start += size;
    }
    // Another version must not remove it before its first start.
    markUsed(fresh);
    putInPlace(fresh, directory, contents);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function putInPlace(fresh: string, directory: string, contents: Contents): void {
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(fresh, directory);
      return;
    } catch (error) {
      if (isComplete(directory, contents)) return; // Another process was faster.
      if (attempt > REPAIRS) throw error;
    }
    moveAway(directory, `${dirname(fresh)}/damaged-${attempt}`);
  }
}

function moveAway(directory: string, to: string): void {
  try {
    renameSync(directory, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error; // Another process moved it.
  }
}

function writeFile(path: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, bytes, { mode: isNative(path) ? 0o500 : 0o400 });
}

function isNative(name: string): boolean {
  return /\.(node|so|dylib|dll)$/.test(name);
}

export class NoexecError extends Error {}

/** On such a file system Linux lets nobody execute a file, not even root. */
function refuseNoexec(directory: string, { files }: Contents): void {
  const native = files.find(({ name }) => isNative(name));
  if (!native || process.platform === 'win32') return;
  try {
    accessSync(join(directory, native.name), constants.X_OK);
  } catch {
    throw new NoexecError(`the file system of ${directory} does not allow running code (it is mounted with noexec)`);
  }
}

/** On a read-only disk nothing can be marked, and nothing is removed. */
function markUsed(directory: string): void {
  const mark = join(directory, MARK);
  try {
    writeFileSync(mark, '', { flag: 'a', mode: 0o600 });
    utimesSync(mark, new Date(), new Date());
  } catch {}
}

function removeUnused(root: string, own: string): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    const isUnused = isVersion(name, path) && path !== own && isOlder(join(path, MARK), UNUSED_MS);
    const isAbandoned = name.startsWith(TEMPORARY) && isOlder(path, ABANDONED_MS);
    if (!isUnused && !isAbandoned) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {} // In use on Windows, or on a read-only disk.
  }
}

/** Others may use the directory too. */
function isVersion(name: string, path: string): boolean {
  return VERSION_DIRECTORY.test(name) && existsSync(join(path, MARK));
}

function isOlder(path: string, ms: number): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.mtimeMs < Date.now() - ms;
}
