import type { Pool, PoolClient, PoolConfig, QueryResult } from 'pg';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { ConstraintViolation } from '../sql/violations.ts';

/**
 * SQLSTATE by its beginning: connections, resources, shutdowns, deadlocks, and a standby that
 * became the primary.
 */
const UNAVAILABLE = /^(08|53|57P|58|40001|40P01|25006|55P03)/;
const NETWORK = /^E[A-Z]+$/;
/** Errors of the driver, which has no codes for them. */
const DRIVER = /timeout|terminated|connection error|Connection ended/i;

/**
 * Constraint violations and faults of the database in the program's own errors; others as they are.
 */
export function translated(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint } = error as { code?: string; constraint?: string };
  if (code === '23505') return new ConstraintViolation(constraint?.endsWith('_pkey') ? 'primary key' : 'unique', error);
  if (code === '23503') return new ConstraintViolation('foreign key', error);
  return isUnavailable(error) ? unavailable(error) : error;
}

/** The connection may be unusable. */
export function isConnectionFault(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string };
  return /^(08|57P)/.test(code) || NETWORK.test(code) || (code === '' && DRIVER.test(message));
}

function isUnavailable(error: Error): boolean {
  return UNAVAILABLE.test((error as { code?: string }).code ?? '') || isConnectionFault(error);
}

function unavailable(cause: Error): RuntimeError {
  const { code } = cause as { code?: string };
  const why = code?.startsWith('53') ? 'has no room or connection left' : 'does not answer';
  return new RuntimeError('unavailable', `The database ${why} at the moment. Try again.`, { cause, retryAfter: 5 });
}

/*
 * PostgreSQL's texts hold every character but U+0000. U+0001 escapes it and itself. The order by
 * code points stays. JSON needs no escape: it has none of the two.
 */

export function escapeText(text: string): string {
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001');
}

export function unescapeText(text: string): string {
  return text.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001');
}

/** Encodes a value of a statement: a text or a list of texts. */
export function escapeValue(value: unknown): unknown {
  if (typeof value === 'string') return escapeText(value);
  return Array.isArray(value) ? value.map(escapeValue) : value;
}

export interface PostgresOptions {
  /** A URL of libpq: `postgres://user:password@host/database?sslmode=verify-full`. */
  url: string;
  /** Connections at most. */
  connections: number;
  onError?: (error: Error) => void;
}

interface Answer<Row> {
  rows: Row[];
  rowCount: number;
}

export interface PostgresClient {
  /** Throws `ConstraintViolation` and `unavailable`. */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Answer<Row>>;
}

/** Connections; `waiting`: queries that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

const CONNECT_MS = 10_000;
const ANSWER_MS = 120_000;
const IDLE_MS = 30_000;

/**
 * Connections to PostgreSQL. Nothing outlives a transaction, neither prepared statements nor
 * settings nor session locks, so that pgbouncer may pool transactions.
 */
export class PostgresPool implements PostgresClient {
  private readonly pool: Pool;

  private constructor(pool: Pool) {
    this.pool = pool;
  }

  /** Connects with the first query. */
  static async open({ url, connections, onError = () => undefined }: PostgresOptions): Promise<PostgresPool> {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      application_name: 'agent-runtime',
      types: { getTypeParser: (oid, format) => PARSERS[oid] ?? pg.types.getTypeParser(oid, format as 'text') },
    } satisfies PoolConfig);
    // Idle connections report here; connections in use reject their query.
    pool.on('error', onError);
    return new PostgresPool(pool);
  }

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Answer<Row>> {
    const connection = await this.connect();
    try {
      return await connection.query<Row>(text, values);
    } finally {
      connection.release();
    }
  }

  /** Commits when `work` resolves and rolls back when it rejects. */
  async transaction<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    const connection = await this.connect();
    try {
      await connection.query('BEGIN');
      const result = await work(connection);
      await connection.query('COMMIT');
      return result;
    } catch (error) {
      // The first error counts; a connection that fails here is discarded.
      await connection.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      connection.release();
    }
  }

  /** Kysely takes its connections here. */
  async connect(): Promise<Connection> {
    try {
      return new Connection(await this.pool.connect());
    } catch (error) {
      throw translated(error);
    }
  }

  /** Now. */
  get use(): PoolUse {
    const { totalCount, idleCount, waitingCount } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Waits for the queries that run. */
  async end(): Promise<void> {
    if (!this.pool.ending) await this.pool.end();
  }
}

class Connection implements PostgresClient {
  private readonly client: PoolClient;
  private isBroken = false;
  private isReleased = false;

  constructor(client: PoolClient) {
    this.client = client;
    client.on('error', this.onError);
  }

  /**
   * Between two queries of a transaction nothing else would catch it, and the process would end.
   */
  private readonly onError = (): void => {
    this.isBroken = true;
  };

  /** `timeoutMs`: of a statement that may take longer than others. */
  async query<Row extends object>(text: string, values: readonly unknown[] = [], timeoutMs = ANSWER_MS) {
    // It would wait for as long as the statement that failed.
    if (this.isBroken) throw translated(new Error('Connection terminated'));
    try {
      const query = { text, values: values.map(escapeValue), query_timeout: timeoutMs };
      const result: QueryResult<Row> = await this.client.query<Row>(query);
      return { command: result.command, rows: result.rows, rowCount: result.rowCount ?? 0 };
    } catch (error) {
      this.isBroken ||= isConnectionFault(error);
      throw translated(error);
    }
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.client.off('error', this.onError);
    this.client.release(this.isBroken);
  }

  /** Ends the connection, whatever it is doing. */
  discard(): void {
    this.isBroken = true;
    this.release();
  }
}

/** Numbers, truth values as SQLite has them, and JSON as text. Others as the driver reads them. */
const PARSERS: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: Number,
  25: unescapeText,
  114: String,
  1043: unescapeText,
  1700: Number,
  3802: String,
};
