import { readdirSync } from 'node:fs';
import { INSTALLATION_FILE, QUARANTINE_FILE, SECRET_FILES, STORES } from '../storage/installation/names.ts';

/* Excluded: locks, socket, snapshots and `first-run.txt`. */

export function sealedName(secretFile: string): string {
  return `${secretFile}.sealed`;
}

export function partialOf(file: string): string {
  return `${file}.partial`;
}

const STORED = [...STORES, QUARANTINE_FILE, INSTALLATION_FILE];
const COMPANION_SUFFIXES = ['', '-wal', '-shm', '-journal', '.wal', '.partial'];

function isStored(name: string): boolean {
  return STORED.some((file) => COMPANION_SUFFIXES.some((suffix) => name === `${file}${suffix}`));
}

export function isOfDataDirectory(name: string): boolean {
  return isStored(name) || SECRET_FILES.includes(name) || name.endsWith('.lock');
}

/** Path traversal guard: only known file names. */
export function mayBeInBackup(name: string): boolean {
  return isStored(name) || SECRET_FILES.some((secret) => name === sealedName(secret));
}

export function storedFiles(directory: string): string[] {
  return readdirSync(directory).filter(isStored).sort();
}
