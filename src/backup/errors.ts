import { RuntimeError } from '../core/errors.ts';

/** Says where there is no room, when that is what an error is about. */
export function noRoomIn(place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ENOSPC' && code !== 'SQLITE_FULL' && !/ENOSPC|No space left/.test(message)) return error;
  return new RuntimeError('unavailable', `There is not enough room in ${place}.`, { cause: error });
}

/** What is wrong with a backup file; nothing has been changed. */
export function badBackup(file: string, problem: string, cause?: unknown): RuntimeError {
  return new RuntimeError('unprocessable', `${file} ${problem}`, { cause });
}
