import { existsSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Mutex } from '../../../core/base/concurrency/mutex.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { syncDirectory } from '../../installation/disk.ts';
import type { StoreIdentity } from '../../installation/unusable.ts';
import { hasLog } from './clean-close.ts';
import { DoubtError, isConflict, isMachineFault, leavesDoubt, unavailable } from './faults.ts';
import { EngineMemory, limitAtRest, NARROW } from './read/engine-memory.ts';
import { Readers, type Snapshot } from './read/readers.ts';
import { CommitLock, type OnCommit, type Transact, transactionsOn } from './transactions.ts';
import { claimTables, createTables, refuseTruncated } from './upkeep/file-checks.ts';

/** Queries that follow each other closely do not change the threads. */
const SHARED_FOR_MS = 250;

/** While several queries run, each has one thread (docs/decisions/0017-queries.md). */
export class EngineThreads {
  private readonly connection: DuckDBConnection;
  private readonly all: number;
  private readonly changes = new Mutex();
  private current: number;
  private sharedUntil = 0;

  private constructor(connection: DuckDBConnection, all: number) {
    this.connection = connection;
    this.all = all;
    this.current = all;
  }

  /** `connection` is used for nothing else, and its engine was just opened. */
  static async open(connection: DuckDBConnection): Promise<EngineThreads> {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    return new EngineThreads(connection, Number(reader.getRows()[0]?.[0] ?? 1));
  }

  /** Takes effect once running queries finish the current part of their work. */
  share(isContended: boolean): void {
    const now = performance.now();
    if (isContended) this.sharedUntil = now + SHARED_FOR_MS;
    const wanted = now < this.sharedUntil ? 1 : this.all;
    if (wanted === this.current) return;
    this.current = wanted;
    // After a failure queries are slower or less fair, but correct.
    this.changes.runExclusive(() => this.connection.run(`SET threads = ${wanted}`)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.changes.runExclusive(async () => this.connection.closeSync());
  }
}

export interface DatabaseOptions {
  readers: number;
  /** Bytes for queries; writes have a reserve above it. */
  memoryLimit: number;
  /** By default 1. */
  memoryShare?: number;
  /** Undefined if it is not checked. */
  identity?: StoreIdentity | undefined;
}

interface Opened {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  maintainer: DuckDBConnection;
  readers: Readers;
  memory: EngineMemory;
  threads: EngineThreads;
}

/** One DuckDB file: a connection that writes, one for maintenance, and a pool that reads. */
export class AnalyticsDatabase {
  private readonly path: string;
  private readonly options: DatabaseOptions;
  /** Null when closed, or when reopening failed. */
  private opened: Opened | null = null;
  /** For compactions and removals. */
  readonly exclusive = new Mutex();
  private readonly commitLock = new CommitLock();
  /** While the file is replaced, reads wait. */
  private paused: PromiseWithResolvers<void> | null = null;
  /** After a lack of memory DuckDB 1.5 may lose or double rows until the file is reopened. */
  private inDoubt = false;

  private constructor(path: string, options: DatabaseOptions) {
    this.path = path;
    this.options = options;
  }

  static async open(path: string, options: DatabaseOptions): Promise<AnalyticsDatabase> {
    const database = new AnalyticsDatabase(path, options);
    database.opened = await database.openFile({ checkSize: existsSync(path) && !hasLog(path) });
    return database;
  }

  get writer(): DuckDBConnection {
    return this.present().writer;
  }

  get maintainer(): DuckDBConnection {
    return this.present().maintainer;
  }

  /** The caller holds the mutex of the writing connection. */
  readonly write: Transact = (use, onCommit) => this.transact(this.writer, use, onCommit);

  readonly maintain: Transact = (use, onCommit) => this.transact(this.maintainer, use, onCommit);

  shareProcessors(isContended: boolean): void {
    this.opened?.threads.share(isContended);
  }

  /** For work outside transactions, such as a checkpoint. */
  withReserve<Result>(use: () => Promise<Result>): Promise<Result> {
    return this.present().memory.write(use);
  }

  /**
   * Reads one snapshot; throws `timeout` after `timeoutMs`. A read is restarted if it is preempted,
   * or if the file is replaced meanwhile.
   */
  async read<Result>(
    use: (connection: DuckDBConnection, snapshot: Snapshot) => Promise<Result>,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const readOnce = async (preempted: AbortSignal) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const ended = AbortSignal.any([preempted, timeout, ...(signal ? [signal] : [])]);
      try {
        return await this.present().readers.read(use, ended);
      } catch (error) {
        if (!timeout.aborted || preempted.aborted) throw error;
        throw new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
      }
    };
    for (;;) {
      if (this.paused) await this.paused.promise;
      try {
        return await this.present().memory.read(readOnce, timeoutMs);
      } catch (error) {
        if (!isMachineFault(error)) throw error;
        if (!this.paused || signal?.aborted) throw unavailable(error);
      }
    }
  }

  /**
   * The caller holds the writer. The engine refuses during a compaction; a later call succeeds.
   * `isBehind`: more waits to be written.
   */
  async checkpointIfDue(isBehind: boolean): Promise<void> {
    if (this.inDoubt) return;
    const log = statSync(`${this.path}.wal`, { throwIfNoEntry: false });
    if (!log || log.size < (isBehind ? CHECKPOINT_BYTES * (this.options.memoryShare ?? 1) : CALM_CHECKPOINT_BYTES))
      return;
    await this.withReserve(() => this.writer.run('CHECKPOINT')).catch((error: unknown) => {
      if (isMachineFault(error) && !isConflict(error)) throw error;
    });
  }

  /** Only this ends a fatal engine error. Writer and maintainer must be unused during it. */
  async reopen(): Promise<void> {
    // Two open instances would corrupt the file.
    await this.close();
    this.opened = await this.openFile();
    this.inDoubt = false;
  }

  pauseReads(): void {
    this.paused ??= Promise.withResolvers();
  }

  resumeReads(): void {
    this.paused?.resolve();
    this.paused = null;
  }

  /** Puts the file at `path` in the place of this one. Writer and maintainer must be unused. */
  async replaceBy(path: string, onReplaced: () => void): Promise<void> {
    await this.close();
    try {
      // The log of this file must not meet the other.
      if (hasLog(this.path)) throw new Error(`${this.path} could not be closed without a log`);
      renameSync(path, this.path);
      onReplaced();
      syncDirectory(dirname(this.path));
    } finally {
      await this.reopen();
    }
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    if (!opened) return;
    await opened.readers.close();
    await opened.memory.close();
    await opened.threads.close();
    // A checkpoint would write tables in doubt into the file.
    if (this.inDoubt) await opened.writer.run('PRAGMA disable_checkpoint_on_shutdown').catch(() => undefined);
    opened.writer.closeSync();
    opened.maintainer.closeSync();
    opened.instance.closeSync();
  }

  private async transact<Result>(
    connection: DuckDBConnection,
    use: (connection: DuckDBConnection) => Promise<Result>,
    onCommit?: OnCommit,
  ): Promise<Result> {
    if (this.inDoubt) throw new DoubtError(new Error('waiting to be reopened'));
    try {
      const transaction = transactionsOn(connection, this.commitLock, () => this.present().readers.prepare());
      return await this.withReserve(() => transaction(use, onCommit));
    } catch (error) {
      if (!leavesDoubt(error)) throw error;
      this.inDoubt = true;
      throw new DoubtError(error);
    } finally {
      void this.opened?.readers.rest();
    }
  }

  private async openFile({ checkSize = false } = {}): Promise<Opened> {
    const { readers, memoryLimit, memoryShare = 1, identity } = this.options;
    const instance = await DuckDBInstance.create(this.path, {
      ...ENGINE,
      memory_limit: `${limitAtRest(memoryLimit)}B`,
      // Each has buffers of its own.
      ...(memoryShare < 0.25 && { threads: '1' }),
    });
    try {
      const writer = await instance.connect();
      if (checkSize) await refuseTruncated(writer, this.path);
      if (identity) await claimTables(writer, this.path, identity);
      await createTables(writer, this.path);
      return {
        instance,
        writer,
        maintainer: await instance.connect(),
        readers: await Readers.open(instance, this.commitLock, readers),
        threads: await EngineThreads.open(await instance.connect()),
        memory: new EngineMemory(await instance.connect(), memoryLimit),
      };
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  private present(): Opened {
    if (this.opened) return this.opened;
    throw unavailable(new Error(`${this.path} is closed`));
  }
}

/** Bounds the replay after a crash to about a second, and what is in memory until then. */
const CHECKPOINT_BYTES = 32 * 1024 * 1024;
/** New rows take more memory than their log. */
const CALM_CHECKPOINT_BYTES = 4 * 1024 * 1024;

export const ENGINE = {
  storage_compatibility_version: 'v1.5.0',
  // Checkpoints run separately, so that commits stay short.
  checkpoint_threshold: '1TB',
  // Bounds what queries spill to disk, which events need too.
  max_temp_directory_size: '4GB',
  // Freed memory returns to the system when nothing is allocated, too.
  allocator_background_threads: 'true',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  // Threads switch between queries in the middle of a task.
  scheduler_process_partial: 'true',
  // Statements can access only the open file, and cannot change these settings.
  enable_external_access: 'false',
  allowed_configs: "['memory_limit', 'threads']",
  lock_configuration: 'true',
};
