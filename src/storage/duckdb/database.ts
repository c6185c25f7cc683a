import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBInstance, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import { RuntimeError } from '../../core/errors.ts';
import type { Bindable, CompiledQuery } from './expressions.ts';
import { migrateTables } from './migrate.ts';

export interface DatabaseOptions {
  readers: number;
  /** As DuckDB takes it: `1GB`. */
  memoryLimit: string;
}

/**
 * One DuckDB file: a connection that writes, one for maintenance beside it, and a few that read, so that interrupting one
 * query hits no other.
 */
export class AnalyticsDatabase {
  private readonly path: string;
  private readonly options: DatabaseOptions;
  private opened: Opened;
  private readonly busy = new Set<DuckDBConnection>();
  private readonly waiting: ((connection: DuckDBConnection) => void)[] = [];
  private reopening: Promise<void> | null = null;

  private constructor(path: string, options: DatabaseOptions, opened: Opened) {
    this.path = path;
    this.options = options;
    this.opened = opened;
  }

  static async open(path: string, options: DatabaseOptions): Promise<AnalyticsDatabase> {
    return new AnalyticsDatabase(path, options, await openFile(path, options));
  }

  get writer(): DuckDBConnection {
    return this.opened.writer;
  }

  get maintainer(): DuckDBConnection {
    return this.opened.maintainer;
  }

  /**
   * Runs `use` with a reading connection inside one snapshot. Aborting interrupts the engine, as does taking longer
   * than `timeoutMs`, the wait for a connection included, which throws `timeout`. Either way the connection is fit for
   * the next reader.
   */
  async read<Result>(
    use: (connection: DuckDBConnection) => Promise<Result>,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal | undefined },
  ): Promise<Result> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
    try {
      await this.reopening;
      const connection = await this.acquire(ended);
      return await this.readWith(connection, use, ended);
    } catch (error) {
      if (timeout.aborted)
        throw new RuntimeError('timeout', `The query took longer than ${timeoutMs / 1_000} s. ${NARROW}`);
      if (isOutOfMemory(error)) {
        throw new RuntimeError('unprocessable', `The query needs more memory than it may use. ${NARROW}`, {
          cause: error,
        });
      }
      throw error;
    }
  }

  /**
   * Closes and opens the file again: after a fatal error (a full disk during a checkpoint, say) the engine refuses
   * everything until then. Nobody else may use writer or maintainer meanwhile; reads wait.
   */
  reopen(): Promise<void> {
    this.reopening ??= this.openAgain().finally(() => {
      this.reopening = null;
    });
    return this.reopening;
  }

  close(): void {
    const { instance, writer, maintainer, idle } = this.opened;
    for (const connection of [writer, maintainer, ...idle]) connection.closeSync();
    instance.closeSync();
  }

  private async openAgain(): Promise<void> {
    // Two instances on one file would ruin it: the old one must be gone before the new one comes.
    while (this.busy.size > 0) {
      for (const connection of this.busy) connection.interrupt();
      await new Promise((next) => setTimeout(next, 10));
    }
    this.close();
    this.opened = { ...this.opened, idle: [] };
    this.opened = await openFile(this.path, this.options);
    for (const connection of this.opened.idle.splice(0)) this.release(connection);
  }

  private async readWith<Result>(
    connection: DuckDBConnection,
    use: (connection: DuckDBConnection) => Promise<Result>,
    ended: AbortSignal,
  ): Promise<Result> {
    const interrupt = () => connection.interrupt();
    ended.addEventListener('abort', interrupt);
    this.busy.add(connection);
    try {
      await connection.run('BEGIN');
      ended.throwIfAborted();
      return await use(connection);
    } finally {
      ended.removeEventListener('abort', interrupt);
      const free = await this.afresh(connection);
      this.busy.delete(connection);
      if (this.reopening) free.closeSync();
      else this.release(free);
    }
  }

  /** The connection without its transaction. An interrupt that came late may have hit the rollback: then another one. */
  private async afresh(connection: DuckDBConnection): Promise<DuckDBConnection> {
    try {
      await connection.run('ROLLBACK');
      return connection;
    } catch {
      connection.closeSync();
      return this.opened.instance.connect();
    }
  }

  private acquire(ended: AbortSignal): Promise<DuckDBConnection> {
    ended.throwIfAborted();
    const connection = this.opened.idle.pop();
    if (connection) return Promise.resolve(connection);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(enter), 1);
        reject(ended.reason);
      };
      const enter = (free: DuckDBConnection) => {
        ended.removeEventListener('abort', leave);
        resolve(free);
      };
      ended.addEventListener('abort', leave, { once: true });
      this.waiting.push(enter);
    });
  }

  private release(connection: DuckDBConnection): void {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.opened.idle.push(connection);
  }
}

interface Opened {
  instance: DuckDBInstance;
  writer: DuckDBConnection;
  maintainer: DuckDBConnection;
  /** Reading connections that nobody uses. */
  idle: DuckDBConnection[];
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
    const maintainer = await instance.connect();
    const idle = await Promise.all(Array.from({ length: readers }, () => instance.connect()));
    return { instance, writer, maintainer, idle };
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** The engine has given up on the file as it is open: only opening it again helps. */
export function isFatal(error: unknown): boolean {
  return error instanceof Error && /^FATAL Error|database has been invalidated/.test(error.message);
}

const NARROW = 'Narrow dateFrom and dateTo, add filters, name fewer columns, or group by fewer keys.';

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Out of Memory');
}

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
