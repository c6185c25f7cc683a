import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './disk.ts';

/** Atomic and durable. The caller excludes other writers. */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.partial`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
  syncDirectory(dirname(path));
}
