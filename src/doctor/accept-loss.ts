import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { invalid } from '../core/shared/errors.ts';
import { syncDirectory } from '../storage/files/disk.ts';
import { Installation } from '../storage/files/installation.ts';
import { EVENTS_LOG_FILE, INSTALLATION_FILE, SECRET_FILES, STORES } from '../storage/files/names.ts';

/** The prefix of directories with files that were written off. */
export const SET_ASIDE = 'set-aside-';

const ACCEPTED: readonly string[] = [...STORES, EVENTS_LOG_FILE, ...SECRET_FILES, INSTALLATION_FILE];

/**
 * Writes a file off: moves what is left of it to `set-aside-<time>`, so that the next start makes a
 * new one. Returns the directory, or null when nothing was left. Only the owner of the data
 * directory may call it.
 */
export function acceptLoss(dataDir: string, name: string, now: number): string | null {
  if (!ACCEPTED.includes(name)) throw invalid(`--accept-loss: must be one of ${ACCEPTED.join(', ')}`);
  const left = readdirSync(dataDir).filter((file) => belongsTo(file, name));
  const movedTo = join(dataDir, `${SET_ASIDE}${new Date(now).toISOString().replaceAll(':', '')}`);
  if (left.length > 0) {
    mkdirSync(movedTo, { recursive: true, mode: 0o700 });
    for (const file of left) renameSync(join(dataDir, file), join(movedTo, file));
    for (const directory of [movedTo, dataDir]) syncDirectory(directory);
  }
  // After a kill before this line, the loss can be accepted again.
  if (name === INSTALLATION_FILE) Installation.rebuild(dataDir);
  else Installation.find(dataDir)?.writeOff(name);
  return left.length > 0 ? movedTo : null;
}

/** The file and its companions, such as a write-ahead log. */
function belongsTo(file: string, name: string): boolean {
  if (file === name) return true;
  return (file.startsWith(`${name}-`) || file.startsWith(`${name}.`)) && !file.endsWith('.lock');
}
