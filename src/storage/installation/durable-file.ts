import { randomUUID } from 'node:crypto';
import { closeSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwner, syncDirectory } from './disk.ts';

/** Atomic. The caller excludes other writers, except with `isNew`: throws EEXIST if it exists. */
export function writeDurably(path: string, content: string, { isNew = false } = {}): void {
  const draft = isNew ? `${path}.${randomUUID()}.partial` : `${path}.partial`;
  rmSync(draft, { force: true });
  try {
    const descriptor = openSync(draft, 'wx', 0o600);
    try {
      giveToOwner(descriptor, dirname(path));
      writeFileSync(descriptor, content, { flush: true });
    } finally {
      closeSync(descriptor);
    }
    if (isNew) linkSync(draft, path);
    else renameSync(draft, path);
    syncDirectory(dirname(path));
  } finally {
    rmSync(draft, { force: true });
  }
}
