import { closeSync, fsyncSync, openSync } from 'node:fs';
import { RuntimeError } from '../../core/shared/errors.ts';

/** A full disk, a user's share of it that is full, a file that is as large as this disk or this process may have them. */
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']);

/** Says where there is no room, when that is what an error is about. */
export function noRoomIn(place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!NO_ROOM.has(code ?? '') && !/ENOSPC|No space left/.test(message)) return error;
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
