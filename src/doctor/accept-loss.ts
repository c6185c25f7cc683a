import { mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { invalid } from '../core/base/shared/errors.ts';
import { syncDirectory } from '../storage/installation/disk.ts';
import { Installation } from '../storage/installation/installation.ts';
import { EVENTS_LOG_FILE, INSTALLATION_FILE, SECRET_FILES, STORES } from '../storage/installation/names.ts';

export const SET_ASIDE = 'set-aside-';

const ACCEPTED: readonly string[] = [...STORES, EVENTS_LOG_FILE, ...SECRET_FILES, INSTALLATION_FILE];

/** Returns the directory that the remains are moved to, if any. For the owner only. */
export function acceptLoss(dataDir: string, name: string, now: number): string | null {
  if (!ACCEPTED.includes(name)) throw invalid(`--accept-loss: must be one of ${ACCEPTED.join(', ')}`);
  const left = readdirSync(dataDir).filter((file) => belongsTo(file, name));
  const movedTo = join(dataDir, `${SET_ASIDE}${new Date(now).toISOString().replaceAll(':', '')}`);
  if (left.length > 0) {
    mkdirSync(movedTo, { recursive: true, mode: 0o700 });
    for (const file of left) renameSync(join(dataDir, file), join(movedTo, file));
    for (const directory of [movedTo, dataDir]) syncDirectory(directory);
  }
  // After a crash before this line, the loss can be accepted again.
  if (name === INSTALLATION_FILE) Installation.rebuild(dataDir);
  else Installation.find(dataDir)?.writeOff(name);
  return left.length > 0 ? movedTo : null;
}

function belongsTo(file: string, name: string): boolean {
  if (file === name) return true;
  return (file.startsWith(`${name}-`) || file.startsWith(`${name}.`)) && !file.endsWith('.lock');
}
