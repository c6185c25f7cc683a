import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

// Node.js runs the code in its compile cache, so other users must not be able to write there.

/**
 * The directory for compiled code: below the user's own cache directory, created if it is missing.
 * Null when the environment names none, or when another user could write into it or replace it.
 */
export function privateCompileCache(environment = process.env) {
  const caches = userCaches(environment);
  if (!caches || !isAbsolute(caches)) return null;
  const directory = join(caches, 'agent-runtime', 'compiled');
  try {
    if (!isPrivatePath(realpathSync(firstExisting(directory)))) return null;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    return isPrivateDirectory(directory) ? realpathSync(directory) : null;
  } catch {
    return null; // No permission, a read-only disk, or a file of that name: the cache is off.
  }
}

function userCaches({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }) {
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (process.platform === 'darwin') return HOME && join(HOME, 'Library', 'Caches');
  return XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
}

function firstExisting(path) {
  try {
    lstatSync(path);
    return path;
  } catch {
    return firstExisting(dirname(path));
  }
}

/** Whether only this user can write into a directory, and only this user or root can replace it. */
function isPrivateDirectory(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return false;
  // On Windows, the access lists of the user profile ensure it.
  if (process.platform === 'win32') return true;
  return isOwn(stats) && !isOpen(stats) && isPrivatePath(realpathSync(path));
}

/** Whether only this user and root can replace any part of a path that has no links. */
function isPrivatePath(path) {
  if (process.platform === 'win32') return true;
  const stats = lstatSync(path);
  // In a directory with the sticky bit, users cannot replace files of others.
  const isClosed = !isOpen(stats) || (stats.mode & 0o1000) !== 0;
  const parent = dirname(path);
  return (isOwn(stats) || stats.uid === 0) && isClosed && (parent === path || isPrivatePath(parent));
}

const isOwn = ({ uid }) => uid === process.geteuid();
/** Group or others may write. */
const isOpen = ({ mode }) => (mode & 0o022) !== 0;
