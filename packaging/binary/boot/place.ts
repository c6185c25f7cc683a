import { homedir } from 'node:os';
import { cacheDirectory, makePrivateDirectory } from '../../../bin/private-directory.js';
import { type Contents, NoexecError, unpack } from './unpack.ts';

type Environment = Record<string, string | undefined>;

/** What the user must change before the program can start. */
export class UnusableCache extends Error {}

const SETTING =
  'Set AGENT_RUNTIME_CACHE_DIR to a directory of yours that only you can write to, on a file system that allows running code.';

/** Unpacks below the cache directory of the user. Throws an UnusableCache. */
export function unpackForUser(contents: Contents, environment: Environment = process.env): string {
  const root = cacheDirectory({ HOME: home(), ...environment });
  if (root === null) throw new UnusableCache(`there is no cache directory to unpack into. ${SETTING}`);
  try {
    // The directory of the version, too: code is loaded from it.
    return makePrivateDirectory(unpack(makePrivateDirectory(root), contents));
  } catch (error) {
    throw new UnusableCache(explain(error as NodeJS.ErrnoException, root, contents));
  }
}

function explain(error: NodeJS.ErrnoException, root: string, { files }: Contents): string {
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    const megabytes = Math.ceil(files.reduce((sum, { size }) => sum + size, 0) / 1e6);
    return `cannot unpack into ${root}: the disk is full. Free ${megabytes} MB, or set AGENT_RUNTIME_CACHE_DIR to a directory on another disk.`;
  }
  if (error instanceof NoexecError) return `${error.message}. ${SETTING}`;
  return `cannot unpack into ${root}: ${error.message}. ${SETTING}`;
}

/** Without HOME, the home directory of the user's account. */
function home(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined; // A user without an account.
  }
}
