import { closeSync, fchownSync, fsyncSync, openSync, statSync } from 'node:fs';
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
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(directory);
  if (uid !== 0) fchownSync(descriptor, uid, gid);
}
