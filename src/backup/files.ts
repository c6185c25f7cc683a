import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RuntimeError } from '../core/base/shared/errors.ts';
import { INSTALLATION_FILE, QUARANTINE_FILE, SECRET_FILES, STORES } from '../storage/installation/names.ts';

/* Locks, the socket, snapshots and `first-run.txt` are in no backup. */

const STORED = [...STORES, QUARANTINE_FILE, INSTALLATION_FILE];
const COMPANION_SUFFIXES = ['', '-wal', '-shm', '-journal', '.wal', '.partial'];

function isStored(name: string): boolean {
  return STORED.some((file) => COMPANION_SUFFIXES.some((suffix) => name === `${file}${suffix}`));
}

export function isOfDataDirectory(name: string): boolean {
  return mayBeInBackup(name) || name.endsWith('.lock');
}

/** Path traversal guard: only known file names. */
export function mayBeInBackup(name: string): boolean {
  return isStored(name) || SECRET_FILES.includes(name);
}

export function storedFiles(directory: string): string[] {
  return readdirSync(directory).filter(isStored).sort();
}

/** Bytes. */
export function sizeOfStored(directory: string): number {
  return storedFiles(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
}

/** Backups are copies of files. Throws `conflict` for nodes, which keep everything in databases. */
export function refuseBackupOfNodes({ nodes }: { nodes: unknown }): void {
  if (nodes === null) return;
  const message = 'What is in PostgreSQL and ClickHouse is backed up with their own tools: see docs/scale.md.';
  throw new RuntimeError('conflict', message);
}
