import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';

// The program runs code that lies in its cache, so other users must not be able to write there.

/**
 * The program's cache directory: AGENT_RUNTIME_CACHE_DIR, else systemd's CacheDirectory=, else the
 * one below the user's own cache directory. Null when the environment names none.
 */
export function cacheDirectory(environment = process.env) {
  const { AGENT_RUNTIME_CACHE_DIR: named, CACHE_DIRECTORY: ofService } = environment;
  const directory = named || targetOf(ofService?.split(':')[0]) || belowUserCaches(environment);
  return directory && isAbsolute(directory) ? directory : null;
}

/** With DynamicUser=, the directory that systemd names is a link. */
function targetOf(path) {
  return path && existsSync(path) ? realpathSync(path) : path;
}

function belowUserCaches(environment) {
  const caches = userCaches(environment);
  return caches && join(caches, 'agent-runtime');
}

function userCaches({ HOME, LOCALAPPDATA, XDG_CACHE_HOME }) {
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (process.platform === 'darwin') return HOME && join(HOME, 'Library', 'Caches');
  return XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
}

/**
 * Creates a directory, with its parents, that only this user can write and only this user or root
 * can replace. Returns its real path. Throws an error that names the offending directory.
 */
export function makePrivateDirectory(path) {
  const missing = [];
  let existing = path;
  for (; !exists(existing); existing = dirname(existing)) missing.unshift(existing);
  refuseReplaceable(realpathSync(existing));
  // One by one: a recursive mkdir below /proc never returns.
  for (const one of missing) makeDirectory(one);
  refuseOpen(path);
  const real = realpathSync(path);
  refuseReplaceable(real);
  refuseOpen(real);
  return real;
}

function exists(path) {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function makeDirectory(path) {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // Another process was faster.
  }
}

function refuseOpen(path) {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) throw new Error(`${path} is not a directory`);
  // On Windows, the access lists of the user profile ensure privacy.
  if (process.platform === 'win32') return;
  if (!isOwn(stats)) throw new Error(`${path} belongs to another user`);
  if (isOpen(stats)) throw new Error(`other users can write to ${path}`);
}

/** Refuses a path, without links, of which another user can replace a part. */
function refuseReplaceable(path) {
  if (process.platform === 'win32') return;
  const stats = lstatSync(path);
  if (!isOwn(stats) && stats.uid !== 0) throw new Error(`${path} belongs to another user`);
  // In a directory with the sticky bit, users cannot replace files of others.
  if (isOpen(stats) && (stats.mode & 0o1000) === 0) throw new Error(`other users can write to ${path}`);
  const parent = dirname(path);
  if (parent !== path) refuseReplaceable(parent);
}

const isOwn = ({ uid }) => uid === process.geteuid();
/** Group or others may write. */
const isOpen = ({ mode }) => (mode & 0o022) !== 0;
