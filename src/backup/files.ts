import { readdirSync } from 'node:fs';
import { SEALING_KEYS_FILE, SECRET_FILE } from '../storage/files.ts';

/*
 * What a data directory consists of, as far as a backup is concerned. Locks and the socket belong to running processes;
 * snapshots and `first-run.txt` are for people.
 */

/** The files that go into a backup with a passphrase only, each sealed with it. A new one joins here. */
export const SECRET_FILES = [SECRET_FILE, SEALING_KEYS_FILE] as const;

/** What a secret file is called in a backup. */
export function sealedName(name: string): string {
  return `${name}.sealed`;
}

/** The files, besides what their engines keep next to them. A new store joins here. */
const STORED = ['state.sqlite', 'events.duckdb', 'spool.sqlite', 'knowledge.sqlite', 'quarantine.ndjson'] as const;
const ENGINES_OWN = ['', '-wal', '-shm', '-journal', '.wal', '.partial'];

/** Whether it is part of what is stored, the engines' own files included. */
function isStored(name: string): boolean {
  return STORED.some((file) => ENGINES_OWN.some((suffix) => name === `${file}${suffix}`));
}

function isSecret(name: string): boolean {
  return SECRET_FILES.some((file) => name === file);
}

/** Whether a file of this name in a data directory must not be written over. */
export function isOfDataDirectory(name: string): boolean {
  return isStored(name) || isSecret(name) || name.endsWith('.lock');
}

/** What may be in a backup, besides the manifest: no path leads out of the directory that it is unpacked to. */
export function mayBeInBackup(name: string): boolean {
  return isStored(name) || SECRET_FILES.some((file) => name === sealedName(file));
}

/** The stored files in a directory. */
export function storedFiles(directory: string): string[] {
  return readdirSync(directory).filter(isStored).sort();
}
