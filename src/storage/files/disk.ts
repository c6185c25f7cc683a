import { closeSync, fsyncSync, openSync } from 'node:fs';
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
