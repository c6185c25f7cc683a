import { closeSync, fsyncSync, openSync } from 'node:fs';
import { RuntimeError } from '../core/errors.ts';

/** Says where there is no room, when that is what an error is about. */
export function noRoomIn(place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'SQLITE_FULL' && !/ENOSPC|No space left/.test(message)) return error;
  return new RuntimeError('unavailable', `There is not enough room in ${place}.`, { cause: error });
}

/** What was renamed in it stays so, also when the power fails. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
