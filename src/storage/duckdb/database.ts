import { existsSync, statSync } from 'node:fs';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { RuntimeError } from '../../core/shared/errors.ts';
import { Mutex } from '../../core/shared/mutex.ts';
import type { StoreIdentity } from '../files/identity.ts';
import { DoubtError, isConflict, isOfTheMachine, leavesDoubt, unavailable } from './faults.ts';
import { claimTables } from './identity.ts';
import { bytesOf, EngineMemory, NARROW } from './read/engine-memory.ts';
import { EngineThreads } from './read/engine-threads.ts';
import { Readers } from './read/readers.ts';
import { beginReading, type Layout } from './tables.ts';
import { CommitGate, type Transact, transactionsOn } from './transactions.ts';
import { hasLog, refuseCut } from './upkeep/file-checks.ts';
import { migrateTables } from './upkeep/migrate.ts';

export interface DatabaseOptions {
  /** Connections that are kept for reading. */
  readers: number;
  /** The budget of queries: `400MB`. A write beside them has a reserve above it. */
  memoryLimit: string;
  /** Whom the file must belong to; not looked at where there is none. */
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

/** One DuckDB file: a connection that writes, one for maintenance beside it, and a few that read. */
export class AnalyticsDatabase {
  private readonly path: string;
  private readonly options: DatabaseOptions;
  /** Null: it could not be opened again. */
  private opened: Opened | null = null;
  /** Mutex of compactions, removals, and queries that met the memory limit beside others. */
  readonly exclusive = new Mutex();
  private readonly gate = new CommitGate();
  /** How the tables lay after so many commits: whatever changes that goes through `write` or `maintain`. */
  private layoutRead: { commits: number; layout: Layout } | null = null;
  /**
   * A transaction has failed for want of memory. DuckDB 1.5 does not always take all of it back then: rows were seen twice,
   * and others not at all, until the file was opened again, where the log tells what is true.
   */
  private inDoubt = false;

  private constructor(path: string, options: DatabaseOptions) {
    this.path = path;
    this.options = options;
  }

  static async open(path: string, options: DatabaseOptions): Promise<AnalyticsDatabase> {
    const database = new AnalyticsDatabase(path, options);
    database.opened = await database.openFile({ isMeasured: existsSync(path) && !hasLog(path) });
    return database;
  }

  get writer(): DuckDBConnection {
    return this.present().writer;
  }

  get maintainer(): DuckDBConnection {
    return this.present().maintainer;
  }

  /** The size of the file, without its log. */
  get fileBytes(): number {
    return statSync(this.path).size;
  }

  /** A transaction on the writing connection, which nobody else may use meanwhile. */
  readonly write: Transact = (use) => this.transact(this.writer, use);

  /** The same on the connection for maintenance. */
  readonly maintain: Transact = (use) => this.transact(this.maintainer, use);

  /** Contended: while several tenants ask, no query uses more than one processor. */
  shareProcessors(isContended: boolean): void {
    this.opened?.threads.share(isContended);
  }

  /** Runs work on writer or maintainer that is no transaction, a checkpoint for example, with the memory of writes. */
  withReserve<Result>(use: () => Promise<Result>): Promise<Result> {
    return this.present().memory.write(use);
  }

  /**
   * Runs `use` with a reading connection inside one snapshot. Aborting interrupts the engine, as does taking longer
   * than `timeoutMs`, which throws `timeout`. Either way the connection is fit for the next reader. A read that has to
   * give up memory to others is begun again.
   */
  async read<Result>(
    use: (connection: DuckDBConnection, layout: Layout) => Promise<Result>,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const readOnce = async (shed: AbortSignal) => {
      const timeout = AbortSignal.timeout(timeoutMs);
      const ended = AbortSignal.any([shed, timeout, ...(signal ? [signal] : [])]);
      try {
        return await this.present().readers.read(use, this.beginReading, ended);
      } catch (error) {
        if (!timeout.aborted || shed.aborted) throw error;
        throw new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
      }
    };
    try {
      return await this.present().memory.read(readOnce, { maxWaitMs: timeoutMs, signal });
    } catch (error) {
      if (isOfTheMachine(error)) throw unavailable(error);
      throw error;
    }
  }

  /**
   * Moves the log into the file when it has grown. Only the writing connection may be in use, and that by the caller: beside
   * a compaction the engine refuses, and it is done another time.
   */
  async checkpointIfDue(): Promise<void> {
    if (this.inDoubt) return;
    const log = statSync(`${this.path}.wal`, { throwIfNoEntry: false });
    if (!log || log.size < CHECKPOINT_BYTES) return;
    await this.withReserve(() => this.writer.run('CHECKPOINT')).catch((error: unknown) => {
      if (isOfTheMachine(error) && !isConflict(error)) throw error;
    });
  }

  /** Queries that run alone hold the mutex which closing and opening anew need, too: these fail, and may be sent again. */
  endSecondAttempts(): void {
    this.opened?.memory.endSecondAttempts();
  }

  /**
   * Closes and opens the file again: after a fatal error (a full disk during a checkpoint, say) the engine refuses
   * everything until then. Nobody else may use writer or maintainer meanwhile. Rejects when the file cannot be opened;
   * everything is `unavailable` then until another attempt succeeds.
   */
  async reopen(): Promise<void> {
    // Two instances on one file would ruin it: the old one must be gone before the new one comes.
    await this.close();
    this.layoutRead = null;
    this.opened = await this.openFile();
    this.inDoubt = false;
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    if (!opened) return;
    await opened.readers.close();
    opened.memory.close();
    await opened.threads.close();
    // What is in doubt must not get from memory into the file.
    if (this.inDoubt) await opened.writer.run('PRAGMA disable_checkpoint_on_shutdown').catch(() => undefined);
    opened.writer.closeSync();
    opened.maintainer.closeSync();
    opened.instance.closeSync();
  }

  private async transact<Result>(
    connection: DuckDBConnection,
    use: (connection: DuckDBConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.inDoubt) throw new DoubtError(new Error('waiting to be opened anew'));
    try {
      return await this.withReserve(() => transactionsOn(connection, this.gate)(use));
    } catch (error) {
      if (!leavesDoubt(error)) throw error;
      this.inDoubt = true;
      this.endSecondAttempts();
      throw new DoubtError(error);
    }
  }

  /** `isMeasured`: a file that was cut off is refused. Its size tells only at the first opening, before a log grows. */
  private async openFile({ isMeasured = false } = {}): Promise<Opened> {
    const { readers, memoryLimit, identity } = this.options;
    const budget = bytesOf(memoryLimit);
    const instance = await DuckDBInstance.create(this.path, { ...ENGINE, memory_limit: `${budget}B` });
    try {
      const writer = await instance.connect();
      if (isMeasured) await refuseCut(writer, this.path);
      if (identity) await claimTables(writer, this.path, identity);
      await migrateTables(writer, this.path);
      return {
        instance,
        writer,
        maintainer: await instance.connect(),
        readers: await Readers.open(instance, readers),
        threads: await EngineThreads.open(await instance.connect()),
        memory: new EngineMemory(await instance.connect(), budget, this.exclusive),
      };
    } catch (error) {
      instance.closeSync();
      throw error;
    }
  }

  private readonly beginReading = (connection: DuckDBConnection): Promise<Layout> =>
    this.gate.begin(async () => {
      const { commits } = this.gate;
      const known = this.layoutRead?.commits === commits ? this.layoutRead.layout : null;
      const layout = await beginReading(connection, known);
      this.layoutRead = { commits, layout };
      return layout;
    });

  private present(): Opened {
    if (this.opened) return this.opened;
    throw unavailable(new Error(`${this.path} is closed`));
  }
}

/** What a crash leaves to replay stays a second's work. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;

const ENGINE = {
  storage_compatibility_version: 'v1.5.0',
  // A commit must not take as long as a checkpoint, which is asked for apart.
  checkpoint_threshold: '1TB',
  // What does not fit into memory goes to disk, of which events need their part.
  max_temp_directory_size: '4GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  // Threads go from one query to another in the middle of their work.
  scheduler_process_partial: 'true',
  // A statement reaches the file that is open and nothing else, and cannot change that.
  enable_external_access: 'false',
  allowed_configs: "['memory_limit', 'threads']",
  lock_configuration: 'true',
};
