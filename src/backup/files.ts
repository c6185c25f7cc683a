import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { conflict } from '../core/base/shared/errors.ts';
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

/** Why nodes, which keep everything in databases, have no backups of files; null for others. */
export function nodesHaveNoBackup({ nodes }: { nodes: unknown }): string | null {
  if (nodes === null) return null;
  return 'What is in PostgreSQL and ClickHouse is backed up with their own tools: see docs/scale.md.';
}

/** Throws `conflict` for nodes. */
export function refuseBackupOfNodes(config: { nodes: unknown }): void {
  const message = nodesHaveNoBackup(config);
  if (message !== null) throw conflict(message);
}
