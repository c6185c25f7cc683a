import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBInstance, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import { RuntimeError } from '../../core/errors.ts';
import type { Bindable, CompiledQuery } from './expressions.ts';
import { migrateTables } from './migrate.ts';
import { Readers } from './readers.ts';
import type { Layout } from './tables.ts';

export interface DatabaseOptions {
  readers: number;
  /** As DuckDB takes it: `1GB`. */
  memoryLimit: string;
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

  private constructor(path: string, options: DatabaseOptions, opened: Opened) {
    this.path = path;
    this.options = options;
    this.opened = opened;
  }

  static async open(path: string, options: DatabaseOptions): Promise<AnalyticsDatabase> {
    return new AnalyticsDatabase(path, options, await openFile(path, options));
  }

  get writer(): DuckDBConnection {
    return this.present().writer;
  }

  get maintainer(): DuckDBConnection {
    return this.present().maintainer;
  }

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
      return await this.present().readers.read(use, ended);
    } catch (error) {
      if (timeout.aborted)
        throw new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
      if (isOutOfMemory(error)) {
        throw new RuntimeError('unprocessable', `The query needs more memory than it may use. ${NARROW}`, {
          cause: error,
        });
      }
      if (needsReopening(error) || isInputOutput(error)) throw unavailable(error);
      throw error;
    }
  }

  /**
   * Closes and opens the file again: after a fatal error (a full disk during a checkpoint, say) the engine refuses
   * everything until then. Nobody else may use writer or maintainer meanwhile. Rejects when the file cannot be opened;
   * everything is `unavailable` then until another attempt succeeds.
   */
  async reopen(): Promise<void> {
    // Two instances on one file would ruin it: the old one must be gone before the new one comes.
    await this.close();
    this.opened = await openFile(this.path, this.options);
  }

  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = null;
    if (!opened) return;
    await opened.readers.close();
    opened.writer.closeSync();
    opened.maintainer.closeSync();
    opened.instance.closeSync();
  }

  private present(): Opened {
    if (this.opened) return this.opened;
    throw unavailable(new Error(`${this.path} is closed`));
  }
}

async function openFile(path: string, { readers, memoryLimit }: DatabaseOptions): Promise<Opened> {
  const instance = await DuckDBInstance.create(path, {
    memory_limit: memoryLimit,
    storage_compatibility_version: 'v1.5.0',
    // Fewer checkpoints while much arrives; what a crash leaves to replay stays a second's work.
    checkpoint_threshold: '64MB',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  try {
    const writer = await instance.connect();
    await migrateTables(writer, path);
    return { instance, writer, maintainer: await instance.connect(), readers: await Readers.open(instance, readers) };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

function unavailable(cause: unknown): RuntimeError {
  return new RuntimeError('unavailable', 'Events cannot be read at the moment. Try again.', { cause, retryAfter: 5 });
}

/** The engine has given up on the file as it is open, or the file is closed: only opening it again helps. */
export function needsReopening(error: unknown): boolean {
  const reason = error instanceof RuntimeError && error.code === 'unavailable' ? error.cause : error;
  return reason instanceof Error && /^FATAL Error|database has been invalidated|is closed$/.test(reason.message);
}

/** Disk, memory or the file itself are at fault, not what was asked or to be stored. */
export function isOfTheMachine(error: unknown): boolean {
  if (needsReopening(error) || isInputOutput(error) || isOutOfMemory(error)) return true;
  return error instanceof Error && /^(Internal|TransactionContext|Interrupt)\b/i.test(error.message);
}

function isInputOutput(error: unknown): boolean {
  return error instanceof Error && /^IO Error|No space left on device/.test(error.message);
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory');
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
