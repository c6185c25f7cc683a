import { readdirSync } from 'node:fs';
import { INSTALLATION_FILE, QUARANTINE_FILE, SECRET_FILES, STORES } from '../storage/files/names.ts';

/*
 * The files of a data directory that a backup holds. Locks and the socket belong to running
 * processes; snapshots and `first-run.txt` are for people.
 */

/** The name in a backup of a file with keys, such as `secret.key`. */
export function sealedName(secretFile: string): string {
  return `${secretFile}.sealed`;
}

/** The path of a backup file until it is complete. */
export function partialOf(file: string): string {
  return `${file}.partial`;
}

/** Without the companion files of their engines. */
const STORED = [...STORES, QUARANTINE_FILE, INSTALLATION_FILE];
const COMPANION_SUFFIXES = ['', '-wal', '-shm', '-journal', '.wal', '.partial'];

function isStored(name: string): boolean {
  return STORED.some((file) => COMPANION_SUFFIXES.some((suffix) => name === `${file}${suffix}`));
}

/** Whether a file of this name in a data directory must not be overwritten. */
export function isOfDataDirectory(name: string): boolean {
  return isStored(name) || SECRET_FILES.includes(name) || name.endsWith('.lock');
}

/** Whether a backup may hold an entry of this name. No path leads out of the target directory. */
export function mayBeInBackup(name: string): boolean {
  return isStored(name) || SECRET_FILES.some((secret) => name === sealedName(secret));
}

export function storedFiles(directory: string): string[] {
  return readdirSync(directory).filter(isStored).sort();
}
