import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { RuntimeError } from '../../core/shared/errors.ts';

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

/** The same for a directory in `parent` that root has filled. Leaves out links, also hard ones. */
export function giveTreeToOwner(directory: string, parent: string): void {
  const owner = otherOwner(parent);
  if (!owner) return;
  const below = readdirSync(directory, { recursive: true, encoding: 'utf8' }).map((name) => join(directory, name));
  for (const path of [directory, ...below]) {
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const stats = fstatSync(descriptor);
      if (stats.isDirectory() || stats.nlink === 1) fchownSync(descriptor, owner.uid, owner.gid);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Null unless this is root in the directory of another user. */
function otherOwner(directory: string): Stats | null {
  if (process.geteuid?.() !== 0) return null;
  const stats = statSync(directory);
  return stats.uid === 0 ? null : stats;
}
