import { existsSync, statSync } from 'node:fs';
import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBInstance, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import { RuntimeError } from '../../core/errors.ts';
import type { StoreIdentity } from '../identity.ts';
import type { Bindable, CompiledQuery } from './expressions.ts';
import { claimTables } from './identity.ts';
import { migrateTables } from './migrate.ts';
import { Readers } from './readers.ts';
import { hasLog, refuseCut } from './reading.ts';
import { beginReading, type Layout } from './tables.ts';
import { CommitGate, type Transact, transactionsOn } from './transactions.ts';

export interface DatabaseOptions {
  readers: number;
  /** As DuckDB takes it: `1GB`. */
  memoryLimit: string;
  /** Whom the file must belong to; not looked at where there is none. */
  identity?: StoreIdentity | undefined;
}

interface Opened {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  maintainer: DuckDBConnection;
  readers: Readers;
}

/** One DuckDB file: a connection that writes, one for maintenance beside it, and a few that read. */
export class AnalyticsDatabase {
  private readonly path: string;
  private readonly options: DatabaseOptions;
  /** Null: it could not be opened again. */
  private opened: Opened | null;
  private readonly gate = new CommitGate();
  /** How the tables lay after so many commits: whatever changes that goes through `write` or `maintain`. */
  private layoutRead: { commits: number; layout: Layout } | null = null;
  /**
   * A transaction has failed for want of memory. DuckDB 1.5 does not always take all of it back then: rows were seen twice,
   * and others not at all, until the file was opened again, where the log tells what is true.
   */
  private inDoubt = false;

  private constructor(path: string, options: DatabaseOptions, opened: Opened) {
    this.path = path;
    this.options = options;
    this.opened = opened;
  }

  static async open(path: string, options: DatabaseOptions): Promise<AnalyticsDatabase> {
    const isMeasured = existsSync(path) && !hasLog(path);
    return new AnalyticsDatabase(path, options, await openFile(path, { ...options, isMeasured }));
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

  /**
   * Runs `use` with a reading connection inside one snapshot. Aborting interrupts the engine, as does taking longer
   * than `timeoutMs`, the wait for a connection included, which throws `timeout`. Either way the connection is fit for
   * the next reader.
   */
  async read<Result>(
    use: (connection: DuckDBConnection, layout: Layout) => Promise<Result>,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      return await this.present().readers.read(use, this.beginReading, ended);
    } catch (error) {
      if (timeout.aborted)
        throw new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
      if (isOutOfMemory(error)) {
        throw new RuntimeError('unprocessable', `The query needs more memory than it may use. ${NARROW}`, {
          cause: error,
        });
      }
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
    await this.writer.run('CHECKPOINT').catch((error: unknown) => {
      if (isOfTheMachine(error) && !isConflict(error)) throw error;
    });
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
    this.opened = await openFile(this.path, this.options);
    this.inDoubt = false;
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    if (!opened) return;
    await opened.readers.close();
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
      return await transactionsOn(connection, this.gate)(use);
    } catch (error) {
      if (!leavesDoubt(error)) throw error;
      this.inDoubt = true;
      throw new DoubtError(error);
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

async function openFile(
  path: string,
  { readers, memoryLimit, identity, isMeasured = false }: DatabaseOptions & { isMeasured?: boolean },
): Promise<Opened> {
  const instance = await DuckDBInstance.create(path, {
    memory_limit: memoryLimit,
    storage_compatibility_version: 'v1.5.0',
    // A commit must not take as long as a checkpoint, which is asked for apart.
    checkpoint_threshold: '1TB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const writer = await instance.connect();
    if (isMeasured) await refuseCut(writer, path);
    if (identity) await claimTables(writer, path, identity);
    await migrateTables(writer, path);
    return { instance, writer, maintainer: await instance.connect(), readers: await Readers.open(instance, readers) };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** The tables as the engine holds them may not be what was committed: they must be opened anew. */
class DoubtError extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

export function unavailable(cause: unknown): RuntimeError {
  return new RuntimeError('unavailable', 'Events cannot be reached at the moment. Try again.', {
    cause,
    retryAfter: 5,
  });
}

/** The engine has given up on the file as it is open, or the file is closed: only opening it again helps. */
export function needsReopening(error: unknown): boolean {
  const reason = error instanceof RuntimeError && error.code === 'unavailable' ? error.cause : error;
  if (reason instanceof DoubtError) return true;
  return reason instanceof Error && /^FATAL Error|database has been invalidated|is closed$/.test(reason.message);
}

/** Disk, memory or the file itself are at fault, not what was asked or to be stored. */
export function isOfTheMachine(error: unknown): boolean {
  if (needsReopening(error) || isInputOutput(error) || isOutOfMemory(error)) return true;
  return error instanceof Error && /^(Internal|TransactionContext|Interrupt)\b/i.test(error.message);
}

/** A full disk is not among them: what it refuses is taken back, and queries go on. */
function leavesDoubt(error: unknown): boolean {
  return isOfTheMachine(error) && !isConflict(error) && !isInputOutput(error);
}

/** Two transactions were in each other's way, or one was interrupted: another attempt may succeed. */
export function isConflict(error: unknown): boolean {
  return error instanceof Error && /conflict|other (write )?transactions|^INTERRUPT/i.test(error.message);
}

const DISK_FAULTS = new Set(['ENOSPC', 'EFBIG', 'EDQUOT', 'EIO', 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_IOERR_WRITE']);

function isInputOutput(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return DISK_FAULTS.has(code ?? '') || /^IO Error|Could not write file|No space left on device/.test(error.message);
}

const OUT_OF_MEMORY = /Out of Memory|(failed to|could not) (pin|allocate) (block|data)/;

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}

const NARROW = 'Narrow dateFrom and dateTo, add filters, name fewer columns, or group by fewer keys.';

/** The statement's only column. Values are bound by type, so that whole numbers stay whole. */
export async function readTexts(connection: DuckDBConnection, { sql, params }: CompiledQuery): Promise<string[]> {
  const reader = await connection.runAndReadAll(sql, params.map(toBound), params.map(typeOf));
  return reader.getColumns()[0]?.map(String) ?? [];
}

function typeOf(value: Bindable) {
  if (typeof value === 'string') return VARCHAR;
  return Number.isSafeInteger(value) ? BIGINT : DOUBLE;
}

function toBound(value: Bindable) {
  return typeOf(value).typeId === DuckDBTypeId.BIGINT ? BigInt(value) : value;
}
