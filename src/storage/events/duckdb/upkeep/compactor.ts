import { chmodSync, closeSync, existsSync, fsyncSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { constants, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { CompactedFile } from '../../../../core/analytics/events/store.ts';
import { conflict, RuntimeError } from '../../../../core/base/shared/errors.ts';
import { diskFullError } from '../../../installation/disk.ts';
import { COMPACTED_FILE, COMPACTING_DIRECTORY, EVENTS_FILE, EVENTS_LOG_FILE } from '../../../installation/names.ts';
import { ENGINE } from '../database.ts';
import type { DuckdbObserver } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import { readNumber } from '../read/rows.ts';
import type { FlushScheduler } from '../write/flush-scheduler.ts';

const MAX_ATTEMPTS = 3;
const COPYING = { memory_limit: '512MB', threads: '2' };

export interface CompactorParts {
  directory: string;
  files: OpenFiles;
  flushing: FlushScheduler;
  /** Nothing else changes the tables during `use`. */
  exclusively: <Result>(use: () => Promise<Result>) => Promise<Result>;
  /** Reads everything in memory from the tables again. */
  reload: () => Promise<void>;
}

/**
 * Replaces the events file by a copy without its free space, while events arrive. Until the copy is
 * complete and durable, the old file stays; the spool keeps what is flushed meanwhile, which is
 * flushed again into the new file.
 */
export class Compactor {
  private readonly parts: CompactorParts;
  private readonly observer: DuckdbObserver;
  private readonly directory: string;
  private running: Promise<unknown> | null = null;
  private copying: DuckDBConnection | null = null;
  /** Removals and refusals of events, which the copy may not have. */
  private changes = 0;
  private stopped = false;

  constructor(parts: CompactorParts, observer: DuckdbObserver) {
    this.parts = parts;
    this.observer = observer;
    this.directory = join(parts.directory, COMPACTING_DIRECTORY);
    // A crash may have left it.
    this.clear();
  }

  /** Throws `conflict` during another compaction. */
  async compact(): Promise<CompactedFile> {
    if (this.running) throw conflict('The events file is being compacted already.');
    const running = this.attempts();
    this.running = running;
    try {
      return await running;
    } finally {
      this.running = null;
    }
  }

  /** The caller is about to remove events, which must not come back from the spool or the copy. */
  abandon(): Promise<void> {
    this.changes += 1;
    return this.parts.flushing.discardFlushed();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.copying?.interrupt();
    await this.running?.catch(() => undefined);
  }

  private async attempts(): Promise<CompactedFile> {
    const bytes = () => statSync(join(this.parts.directory, EVENTS_FILE)).size;
    const before = bytes();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (await this.compactOnce()) return { before, after: bytes() };
    }
    throw conflict(CHANGED);
  }

  /** False if events were removed or refused during the copy: nothing is changed then. */
  private async compactOnce(): Promise<boolean> {
    const { parts, directory } = this;
    const { database, quarantine } = parts.files;
    const to = join(parts.directory, COMPACTED_FILE);
    try {
      this.clear();
      mkdirSync(directory, { mode: 0o700 });
      const stateOfCopy = await parts.exclusively(async () => {
        this.assertRunning();
        await copyTables(parts.files, parts.directory, directory);
        return { position: parts.flushing.keepFlushed(), ...this.state(quarantine.count) };
      });
      await this.copyWithoutFreeSpace(join(directory, EVENTS_FILE), to);
      this.observer.onStage('compact:copied');
      return await parts.exclusively(async () => {
        this.assertRunning();
        const { changes, refused } = this.state(quarantine.count);
        if (changes !== stateOfCopy.changes || refused !== stateOfCopy.refused) return false;
        database.pauseReads();
        await database.replaceBy(to, () => {
          this.observer.onStage('compact:renamed');
          parts.flushing.flushAgainAfter(stateOfCopy.position);
        });
        await parts.reload();
        return true;
      });
    } catch (error) {
      throw diskFullError(parts.directory, error);
    } finally {
      // Queries see no fewer events than before.
      await parts.flushing
        .discardFlushed()
        .then(() => parts.flushing.flushAll())
        .catch(() => undefined);
      database.resumeReads();
      this.clear();
    }
  }

  private clear(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private state(refused: number) {
    return { changes: this.changes, refused };
  }

  private assertRunning(): void {
    if (this.stopped) throw new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 });
    if (this.parts.flushing.failingSince === null) return;
    throw new RuntimeError('unavailable', 'Events cannot be moved to the tables at the moment; see the log.');
  }

  private async copyWithoutFreeSpace(from: string, to: string): Promise<void> {
    const instance = await DuckDBInstance.create(':memory:', { ...COPYING, temp_directory: this.directory });
    const connection = await instance.connect();
    this.copying = connection;
    try {
      await connection.run(`ATTACH ${quoted(from)} AS old; ATTACH ${quoted(to)} AS compact
        (STORAGE_VERSION '${ENGINE.storage_compatibility_version}')`);
      if (this.stopped) return;
      await connection.run('COPY FROM DATABASE old TO compact; CHECKPOINT compact');
      for (const table of ['hot', 'cold']) {
        const difference = `(SELECT count(*) FROM old.${table}) - (SELECT count(*) FROM compact.${table})`;
        if ((await readNumber(connection, `SELECT ${difference}`)) !== 0) throw new Error('The copy is incomplete.');
      }
      await connection.run('DETACH compact; DETACH old');
    } finally {
      this.copying = null;
      connection.closeSync();
      instance.closeSync();
    }
    chmodSync(to, statSync(from).mode);
    const file = openSync(to, 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}

/** The caller excludes flushes and every other change. The checkpoint only shortens the log. */
export async function copyTables({ database }: OpenFiles, from: string, to: string): Promise<void> {
  await database.withReserve(() => database.writer.run('CHECKPOINT')).catch(() => undefined);
  for (const name of [EVENTS_FILE, EVENTS_LOG_FILE]) {
    const path = join(from, name);
    if (existsSync(path)) await copyFile(path, join(to, name), constants.COPYFILE_FICLONE);
  }
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "''")}'`;
}

const CHANGED =
  'Events were erased, expired or refused during each of three copies; nothing was changed. Run compact again later.';
