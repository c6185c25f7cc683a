import { join } from 'node:path';
import { cacheDirectory, makePrivateDirectory } from './private-directory.js';

/**
 * The directory for compiled code, created if it is missing. Null when the environment names no
 * cache directory, or when another user could write into it or replace it.
 */
export function privateCompileCache(environment = process.env) {
  const caches = cacheDirectory(environment);
  if (caches === null) return null;
  try {
    return makePrivateDirectory(join(caches, 'compiled'));
  } catch {
    return null; // No permission, a read-only disk, or a file of that name: the cache is off.
  }
}
