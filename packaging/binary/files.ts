import { readdirSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** The files below a directory, by path with slashes, in an order that is the same everywhere. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Of a file, or of all files of a directory, in bytes. */
export function sizeOf(path: string): number {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.size;
  return filesIn(path).reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
}
