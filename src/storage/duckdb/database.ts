import { BIGINT, DOUBLE, type DuckDBConnection, DuckDBInstance, DuckDBTypeId, VARCHAR } from '@duckdb/node-api';
import { RuntimeError } from '../../core/errors.ts';
import type { Bindable, CompiledQuery } from './expressions.ts';

/** What this program writes; a file of a newer version is refused. */
const VERSION = 1;

const SCHEMA = `
  CREATE TABLE events (
    tenant_id VARCHAR NOT NULL, agent_id VARCHAR NOT NULL, event_name VARCHAR NOT NULL, timestamp BIGINT NOT NULL,
    id VARCHAR NOT NULL, thread_id VARCHAR, execution_id VARCHAR, properties VARCHAR NOT NULL);
  CREATE TABLE flushed (spool_id VARCHAR PRIMARY KEY, position BIGINT NOT NULL);
  CREATE TABLE known_events (
    tenant_id VARCHAR, agent_id VARCHAR, event_name VARCHAR, events BIGINT NOT NULL,
    first_seen BIGINT NOT NULL, last_seen BIGINT NOT NULL, PRIMARY KEY (tenant_id, agent_id, event_name));
  CREATE SEQUENCE property_order;
  CREATE TABLE known_properties (
    tenant_id VARCHAR, agent_id VARCHAR, event_name VARCHAR, key VARCHAR, nested BOOLEAN, type VARCHAR,
    events BIGINT NOT NULL, seen_order BIGINT NOT NULL DEFAULT nextval('property_order'),
    PRIMARY KEY (tenant_id, agent_id, event_name, key, nested, type));
  CREATE TABLE schema_version (version INTEGER NOT NULL);
  INSERT INTO schema_version VALUES (${VERSION});
`;

/** One DuckDB file: a connection that writes, and a few that read, so that interrupting one query hits no other. */
export class AnalyticsDatabase {
  readonly writer: DuckDBConnection;
  private readonly instance: DuckDBInstance;
  private readonly idle: DuckDBConnection[];
  private readonly waiting: ((connection: DuckDBConnection) => void)[] = [];

  private constructor(instance: DuckDBInstance, writer: DuckDBConnection, readers: DuckDBConnection[]) {
    this.instance = instance;
    this.writer = writer;
    this.idle = readers;
  }

  static async open(path: string, options: { readers: number; memoryLimit: string }): Promise<AnalyticsDatabase> {
    const instance = await DuckDBInstance.create(path, {
      memory_limit: options.memoryLimit,
      storage_compatibility_version: 'v1.5.0',
      // Fewer checkpoints while much arrives; what a crash leaves to replay stays a second's work.
      checkpoint_threshold: '64MB',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    });
    const writer = await instance.connect();
    await migrate(writer, path);
    const readers = await Promise.all(Array.from({ length: options.readers }, () => instance.connect()));
    return new AnalyticsDatabase(instance, writer, readers);
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

  private async readWith<Result>(
    connection: DuckDBConnection,
    use: (connection: DuckDBConnection) => Promise<Result>,
    ended: AbortSignal,
  ): Promise<Result> {
    const interrupt = () => connection.interrupt();
    ended.addEventListener('abort', interrupt);
    try {
      await connection.run('BEGIN');
      ended.throwIfAborted();
      return await use(connection);
    } finally {
      ended.removeEventListener('abort', interrupt);
      this.release(await this.afresh(connection));
    }
  }

  close(): void {
    for (const connection of this.idle) connection.closeSync();
    this.writer.closeSync();
    this.instance.closeSync();
  }

  /** The connection without its transaction. An interrupt that came late may have hit the rollback: then another one. */
  private async afresh(connection: DuckDBConnection): Promise<DuckDBConnection> {
    try {
      await connection.run('ROLLBACK');
      return connection;
    } catch {
      connection.closeSync();
      return this.instance.connect();
    }
  }

  private acquire(ended: AbortSignal): Promise<DuckDBConnection> {
    ended.throwIfAborted();
    const connection = this.idle.pop();
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
    else this.idle.push(connection);
  }
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

async function migrate(connection: DuckDBConnection, path: string): Promise<void> {
  const tables = await connection.runAndReadAll("SELECT 1 FROM duckdb_tables() WHERE table_name = 'schema_version'");
  if (tables.currentRowCount === 0) {
    await connection.run(`BEGIN; ${SCHEMA} COMMIT;`);
    return;
  }
  const found = await connection.runAndReadAll('SELECT max(version) FROM schema_version');
  const version = Number(found.getRows()[0]?.[0] ?? 0);
  if (version > VERSION) {
    throw new Error(
      `${path} was written by a newer agent-runtime (schema ${version}, this program knows ${VERSION}). Install that version again, or use another data directory.`,
    );
  }
}
