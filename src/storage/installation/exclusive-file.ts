import { constants, lstatSync, openSync, rmSync } from 'node:fs';
import { RuntimeError } from '../../core/base/shared/errors.ts';

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
