import { statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { invalid } from '../../core/base/shared/errors.ts';

const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm', '/private/tmp', '/var/folders', '/private/var/folders'];
const HOMES = ['/home', '/root', '/run/user'];

/** The service would not start once the file is gone. */
export function refuseTemporaryProgram(paths: readonly string[], temporaryDirectory: string): void {
  for (const path of paths) {
    const isCache = path === 'npx' || path.split(/[\\/]/).includes('_npx');
    if (!isCache && !isBelow(path, temporaryDirectory) && !isTemporary(path)) continue;
    const place = isCache ? 'the cache of npx' : 'a directory for temporary files';
    throw invalid(
      `${path} is in ${place} and will not stay there. Install the program first, in /usr/local/bin or with npm install -g for example.`,
    );
  }
}

export function isTemporary(path: string): boolean {
  return TEMPORARY.some((directory) => isBelow(path, directory));
}

export function isInHome(path: string): boolean {
  return HOMES.some((directory) => isBelow(path, directory));
}

/** Checks owner and others, not groups. `uid` is null for a user that owns nothing. */
export function refuseUnreachable(path: string, uid: number | null): void {
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    const stats = statSync(directory, { throwIfNoEntry: false });
    const needed = stats?.uid === uid ? 0o100 : 0o001;
    if (stats && (stats.mode & needed) === 0) {
      throw invalid(
        `${path}: the user of the service could not enter ${directory}. Install the program where everyone may read it, in /usr/local or /opt for example; or install the service without root, for one user.`,
      );
    }
    if (directory === dirname(directory)) return;
  }
}

function isBelow(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : `${directory}${sep}`);
}
