import { existsSync } from 'node:fs';

/** Also one that an interrupted checkpoint has renamed. */
export function hasLog(path: string): boolean {
  return ['.wal', '.wal.checkpoint', '.wal.recovery'].some((suffix) => existsSync(path + suffix));
}
