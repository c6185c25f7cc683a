import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { conflict, type RuntimeError } from '../core/base/shared/errors.ts';
import type { StagedBackup } from '../core/services.ts';
import { diskFullError } from '../storage/installation/disk.ts';
import { FileLock } from '../storage/state/sqlite/lock.ts';

const STAGING = 'backup-staging';

export interface StagingParts {
  dataDir: string;
  /** They run in order: events first, then what they refer to. */
  copies: ((directory: string) => Promise<void>)[];
  now: () => number;
}

/** Throws `conflict` when the directory exists. */
export async function stageBackup({ dataDir, copies, now }: StagingParts): Promise<StagedBackup> {
  const directory = join(dataDir, STAGING);
  if (existsSync(directory)) throw beingMade(dataDir);
  mkdirSync(directory, { mode: 0o700 });
  try {
    const createdAt = now();
    for (const copy of copies) await copy(directory);
    return { directory, createdAt };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    throw diskFullError(dataDir, error);
  }
}

/** Acquiring it removes what a crash left staged. */
export class BackupLock {
  private readonly lock: FileLock;
  private readonly dataDir: string;

  private constructor(dataDir: string, lock: FileLock) {
    this.dataDir = dataDir;
    this.lock = lock;
  }

  /** Null during another backup. */
  static tryAcquire(dataDir: string): BackupLock | null {
    const lock = new FileLock(join(dataDir, 'backup.lock'));
    const made = new BackupLock(dataDir, lock);
    if (lock.tryAcquire()) {
      made.clear();
      return made;
    }
    lock.close();
    return null;
  }

  /** Throws `conflict` during another backup. */
  static acquire(dataDir: string): BackupLock {
    const lock = BackupLock.tryAcquire(dataDir);
    if (!lock) throw beingMade(dataDir);
    return lock;
  }

  release(): void {
    try {
      this.clear();
    } finally {
      this.lock.close();
    }
  }

  private clear(): void {
    // The owner may still write there for a killed command.
    rmSync(join(this.dataDir, STAGING), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function beingMade(dataDir: string): RuntimeError {
  return conflict(`A backup of ${dataDir} is being made already. Wait until it is done.`);
}
