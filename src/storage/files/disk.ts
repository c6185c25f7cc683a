import { closeSync, fsyncSync, openSync } from 'node:fs';
import { RuntimeError } from '../../core/shared/errors.ts';

/** The disk or the user's quota is full, or the file has reached its size limit. */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

/** Turns an error about a full disk into one that names the location; returns others as is. */
export function diskFullError(place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!DISK_FULL.has(code ?? '') && !/ENOSPC|No space left/.test(message)) return error;
  return new RuntimeError('unavailable', `There is not enough room in ${place}.`, { cause: error });
}

/** Makes renames in it survive a power failure. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
