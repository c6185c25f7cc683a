import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StagedBackup } from '../core/backup.ts';
import { RuntimeError } from '../core/shared/errors.ts';
import { diskFullError } from '../storage/files/disk.ts';
import { FileLock } from '../storage/sqlite/lock.ts';

const STAGING = 'backup-staging';

export interface StagingParts {
  dataDir: string;
  /** Each writes its part into a directory, one after the other: events first, then what they refer to. */
  copies: ((directory: string) => Promise<void>)[];
  now: () => number;
}

/** Copies everything into a directory inside the data directory. `conflict` while there is one; `unavailable` without room. */
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

/**
 * The right to make a backup of the directory, held by the process that packs it. Whatever is staged when one comes by it
 * was left behind by a crash, and is removed.
 */
export class BackupTurn {
  private readonly lock: FileLock;
  private readonly dataDir: string;

  private constructor(dataDir: string, lock: FileLock) {
    this.dataDir = dataDir;
    this.lock = lock;
  }

  /** Null while another process makes one. */
  static tryTake(dataDir: string): BackupTurn | null {
    const lock = new FileLock(join(dataDir, 'backup.lock'));
    const turn = new BackupTurn(dataDir, lock);
    if (lock.tryAcquire()) {
      turn.clear();
      return turn;
    }
    lock.close();
    return null;
  }

  /** As `tryTake`; throws `conflict`. */
  static take(dataDir: string): BackupTurn {
    const turn = BackupTurn.tryTake(dataDir);
    if (turn) return turn;
    throw beingMade(dataDir);
  }

  end(): void {
    this.clear();
    this.lock.close();
  }

  private clear(): void {
    // An owner may still be writing there, for a command that was killed.
    rmSync(join(this.dataDir, STAGING), { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

function beingMade(dataDir: string): RuntimeError {
  return new RuntimeError('conflict', `A backup of ${dataDir} is being made already. Wait until it is done.`);
}
