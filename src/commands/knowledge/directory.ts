import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { formatOf } from '../../core/knowledge/reader.ts';

export interface FoundFile {
  path: string;
  /** Bytes. */
  size: number;
  /** Why it is not ingested; null: it is. */
  skipped: string | null;
}

/** With all below it, by name. Links to directories are not followed: they may lead in a circle. */
export function filesBelow(directory: string): FoundFile[] {
  const entries = readdirSync(directory, { withFileTypes: true });
  const byName = entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  return byName.flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.name.startsWith('.')) return [{ path, size: 0, skipped: 'is hidden' }];
    return entry.isDirectory() ? filesBelow(path) : [fileAt(path, entry)];
  });
}

function fileAt(path: string, entry: Dirent): FoundFile {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return { path, size: 0, skipped: 'is a link that leads nowhere' };
  if (!found.isFile())
    return { path, size: 0, skipped: entry.isSymbolicLink() ? 'is a link to no file' : 'is no file' };
  return { path, size: found.size, skipped: faultOf(path, found.size) };
}

/** Null: it can be ingested. */
export function faultOf(path: string, size: number): string | null {
  if (formatOf(path) === null) return 'has no extension that can be read';
  return size === 0 ? 'is empty' : null;
}
