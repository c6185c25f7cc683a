import { constants, lstatSync, openSync, rmSync } from 'node:fs';
import { RuntimeError } from '../../core/shared/errors.ts';

const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants;

/**
 * Creates a file for this user only (0600) and returns its descriptor. Never opens an existing file
 * or follows a link: in a shared directory another user may have prepared either. Replaces what
 * this user left there.
 */
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

/** Removes a file that belongs to this user and is not a link; leaves anything else. */
export function removeOwn(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  // Windows has no user ids.
  const isOwn = process.getuid === undefined || found?.uid === process.getuid();
  if (found?.isFile() && found.nlink === 1 && isOwn) rmSync(path, { force: true });
}
