import { mkdirSync } from 'node:fs';
import { giveTreeToOwner } from './disk.ts';

const used = new Set<string>();

/** What root makes in the directory of another user belongs to that user once this process ends. */
export function makeDataDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (used.size === 0) process.once('exit', () => used.forEach(giveTreeToOwner));
  used.add(path);
}
