import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from './disk.ts';

/** Writes a file whole or not at all, readable for this user alone, and durably. The caller keeps other writers off. */
export function replaceFile(path: string, content: string): void {
  const draft = `${path}.partial`;
  rmSync(draft, { force: true });
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true });
  renameSync(draft, path);
  syncDirectory(dirname(path));
}
