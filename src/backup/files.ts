import { readdirSync } from 'node:fs';
import { INSTALLATION_FILE, QUARANTINE_FILE, SECRET_FILES, STORES } from '../storage/files/names.ts';

/*
 * What a data directory consists of, as far as a backup is concerned. Locks and the socket belong to running processes;
 * snapshots and `first-run.txt` are for people.
 */

/** How a file with keys (`secret.key`) goes into a backup, if it does. */
export function sealedName(secretFile: string): string {
  return `${secretFile}.sealed`;
}

/** The path of a backup file until it is complete. */
export function partialOf(file: string): string {
  return `${file}.partial`;
}

/** The files, besides what their engines keep next to them. */
const STORED = [...STORES, QUARANTINE_FILE, INSTALLATION_FILE];
const ENGINES_OWN = ['', '-wal', '-shm', '-journal', '.wal', '.partial'];

/** Whether it is part of what is stored, the engines' own files included. */
function isStored(name: string): boolean {
  return STORED.some((file) => ENGINES_OWN.some((suffix) => name === `${file}${suffix}`));
}

/** Whether a file of this name in a data directory must not be written over. */
export function isOfDataDirectory(name: string): boolean {
  return isStored(name) || SECRET_FILES.includes(name) || name.endsWith('.lock');
}

/** What may be in a backup, besides the manifest: no path leads out of the directory that it is unpacked to. */
export function mayBeInBackup(name: string): boolean {
  return isStored(name) || SECRET_FILES.some((secret) => name === sealedName(secret));
}

/** The stored files in a directory. */
export function storedFiles(directory: string): string[] {
  return readdirSync(directory).filter(isStored).sort();
}
