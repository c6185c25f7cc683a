import { randomUUID } from 'node:crypto';
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './disk.ts';

/** Atomic. The caller excludes other writers, except with `isNew`: throws EEXIST if it exists. */
export function writeDurably(path: string, content: string, { isNew = false } = {}): void {
  const draft = isNew ? `${path}.${randomUUID()}.partial` : `${path}.partial`;
  rmSync(draft, { force: true });
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    if (isNew) linkSync(draft, path);
    else renameSync(draft, path);
    syncDirectory(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}
