import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { RuntimeError } from '../../core/base/shared/errors.ts';

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

export function diskFullError(place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!DISK_FULL.has(code ?? '') && !/ENOSPC|No space left/.test(message)) return error;
  return new RuntimeError('unavailable', `There is not enough room in ${place}.`, { cause: error });
}

/** Renames in the directory survive a power failure. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}

/**
 * A file that root makes in the directory of a service's user belongs to that user. Only for files
 * opened with O_EXCL: the user could have put a link to another file there.
 */
export function giveToOwner(descriptor: number, directory: string): void {
  const owner = otherOwner(directory);
  if (owner) fchownSync(descriptor, owner.uid, owner.gid);
}

/**
 * Gives everything of root in a directory to its owner, who may change it during this: paths begin
 * at open directories, links are not followed, files with several names are left out. Linux only.
 */
export function giveTreeToOwner(directory: string): void {
  const owner = otherOwner(directory);
  if (owner && process.platform === 'linux') giveBelow(directory, owner);
}

function giveBelow(path: string, owner: Stats): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const real = `/proc/self/fd/${descriptor}`;
    for (const entry of readdirSync(real, { withFileTypes: true })) {
      const below = `${real}/${entry.name}`;
      try {
        if (entry.isDirectory()) giveDirectory(below, owner);
        else if (entry.isFile()) giveFile(below, owner);
      } catch (error) {
        // It was removed or replaced.
        if (!['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

function giveDirectory(path: string, owner: Stats): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    giveBelow(`/proc/self/fd/${descriptor}`, owner);
    if (fstatSync(descriptor).uid === 0) fchownSync(descriptor, owner.uid, owner.gid);
  } finally {
    closeSync(descriptor);
  }
}

function giveFile(path: string, owner: Stats): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (stats.isFile() && stats.uid === 0 && stats.nlink === 1) fchownSync(descriptor, owner.uid, owner.gid);
  } finally {
    closeSync(descriptor);
  }
}

/** Null unless this is root in the directory of another user. */
function otherOwner(directory: string): Stats | null {
  if (process.geteuid?.() !== 0) return null;
  const stats = statSync(directory, { throwIfNoEntry: false });
  return stats === undefined || stats.uid === 0 ? null : stats;
}

/** Atomic. The caller excludes other writers, except with `isNew`: throws EEXIST if it exists. */
export function writeDurably(path: string, content: string, { isNew = false } = {}): void {
  const draft = isNew ? `${path}.${randomUUID()}.partial` : `${path}.partial`;
  rmSync(draft, { force: true });
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      giveToOwner(descriptor, dirname(path));
      writeFileSync(descriptor, content, { flush: true });
    } finally {
      closeSync(descriptor);
    }
    if (isNew) linkSync(draft, path);
    else renameSync(draft, path);
    syncDirectory(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

/** 0600. Follows no link and opens no file that another user may have prepared. */
export function createExclusively(path: string): number {
  removeOwn(path);
  try {
    return openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    const message = `${path} exists, and is a link or was made by another user. Remove it, or choose another name or directory.`;
    throw new RuntimeError('conflict', message, { cause });
  }
}

export function removeOwn(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Windows has no user ids.
  const isOwn = process.getuid === undefined || found?.uid === process.getuid();
  if (found?.isFile() && found.nlink === 1 && isOwn) rmSync(path, { force: true });
}
