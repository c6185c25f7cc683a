import { nodesHaveNoBackup } from '../../backup/files.ts';
import { PackingThread } from '../../backup/packing.ts';
import type { Sealing } from '../../backup/sealing.ts';
import { BackupLock } from '../../backup/staging.ts';
import type { Config } from '../../config.ts';
import { RuntimeError } from '../../core/base/shared/errors.ts';
import type { BackupMaker, OpenBackup } from '../../core/operation/backup.ts';
import type { StagedBackup } from '../../core/services.ts';

/** A thread of its own, and for a moment the 128 MB that sealing takes. */
const NEEDED_BYTES = 220 * 1024 * 1024;

interface MakerParts {
  config: Pick<Config, 'dataDir' | 'nodes' | 'memory' | 'backupWork'>;
  stage: () => Promise<StagedBackup>;
}

/** Makes the backups of the command `backup` within the server, sealed with a passphrase. */
export function makeBackupMaker({ config, stage }: MakerParts): BackupMaker {
  const { dataDir, memory, backupWork } = config;
  return {
    refusal: nodesHaveNoBackup(config),
    open: (passphrase) => {
      if (memory.limitedBy !== null && memory.used() + NEEDED_BYTES > memory.bytes) throw tooLittleMemory();
      return new StagedDownload(dataDir, stage, { passphrase, workFactor: backupWork });
    },
  };
}

class StagedDownload implements OpenBackup {
  readonly prepared: OpenBackup['prepared'];
  private readonly lock: BackupLock;
  private readonly staging: Promise<StagedBackup>;
  private packing: PackingThread | null = null;
  private isClosed = false;
  private closing: Promise<void> | null = null;

  /** Throws `conflict` while the command makes a backup. */
  constructor(dataDir: string, stage: () => Promise<StagedBackup>, sealing: Sealing) {
    this.lock = BackupLock.acquire(dataDir);
    this.staging = stage();
    this.prepared = this.staging.then((staged) => {
      if (this.isClosed) throw new RuntimeError('unavailable', 'The backup was broken off.');
      this.packing = new PackingThread({ dataDir, staged, sealing });
      return this.packing.prepared();
    });
    this.prepared.catch(() => undefined);
  }

  async next(): Promise<{ chunk: Uint8Array; packed: number } | null> {
    await this.prepared;
    return this.packing!.next();
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private async end(): Promise<void> {
    this.isClosed = true;
    // A copy that is being made cannot be stopped, and writes into the directory until it ends.
    await this.staging.catch(() => undefined);
    await this.packing?.close();
    this.lock.release();
  }
}

function tooLittleMemory(): RuntimeError {
  const message =
    'The server has too little memory free to seal a backup. Run `agent-runtime backup` on its machine instead.';
  return new RuntimeError('unavailable', message);
}
