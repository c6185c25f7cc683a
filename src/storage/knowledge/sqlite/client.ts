import BetterSqlite3, { type Database, SqliteError } from 'better-sqlite3';
import { load as loadVectors } from 'sqlite-vec';
import { Mutex } from '../../../core/base/concurrency/mutex.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { markInstallation } from '../../state/sqlite/identity.ts';
import { switchToWal } from '../../state/sqlite/lock.ts';
import { Statements } from '../../state/sqlite/prepared.ts';
import type { Durability, RowsClient, RowsDatabase } from '../rows/engine.ts';
import { migrate } from './schema.ts';

/** Large pages suit vectors: five of 384 numbers fit. */
const PAGE_BYTES = 8_192;

export function openKnowledge(path: string, installationId?: string): Database {
  const database = new BetterSqlite3(path, { timeout: 5_000 });
  try {
    loadVectors(database);
    // Both must precede the tables; later they have no effect.
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    switchToWal(database);
    database.pragma('synchronous = FULL');
    // Erased data must not remain in free pages.
    database.pragma('secure_delete = ON');
    database.pragma('cache_size = -65536');
    migrate(database);
    if (installationId !== undefined) markInstallation(database, installationId);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function openForSearch(path: string): Database {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  loadVectors(database);
  database.pragma('cache_size = -16384');
  database.pragma('mmap_size = 1073741824');
  return database;
}

/** Statements name tables as PostgreSQL has them. */
export function statementsOf(database: Database): Statements {
  return new Statements(database, (text) => text.replaceAll('knowledge_', ''));
}

/** Runs one transaction at a time; others wait. */
export class SqliteClient implements RowsDatabase {
  readonly statements: Statements;
  private readonly database: Database;
  private readonly mutex = new Mutex();

  constructor(database: Database) {
    this.database = database;
    this.statements = statementsOf(database);
  }

  query<Row extends object>(text: string, values?: readonly unknown[], durability?: Durability) {
    return this.alone(async () => this.run<Row>(text, values), durability);
  }

  transaction<Result>(work: (client: RowsClient) => Promise<Result>, durability?: Durability): Promise<Result> {
    const client: RowsClient = { query: async (text, values) => this.run(text, values) };
    return this.alone(async () => {
      this.statements.of('BEGIN IMMEDIATE').run();
      try {
        const result = await work(client);
        this.statements.of('COMMIT').run();
        return result;
      } catch (error) {
        // SQLite rolls back when the disk fails.
        if (this.database.inTransaction) this.statements.of('ROLLBACK').run();
        throw error;
      }
    }, durability);
  }

  /** Runs work that uses the connection itself. Throws `unavailable` for errors of the disk. */
  alone<Result>(work: () => Promise<Result>, durability?: Durability): Promise<Result> {
    return this.mutex.runExclusive(async () => {
      if (durability === 'unsynced') this.database.pragma('synchronous = NORMAL');
      try {
        return await work();
      } catch (error) {
        throw unavailable(error) ?? error;
      } finally {
        if (durability === 'unsynced') this.database.pragma('synchronous = FULL');
      }
    });
  }

  private run<Row>(text: string, values: readonly unknown[] = []): { rows: Row[]; rowCount: number } {
    const statement = this.statements.of(text);
    const bound = Object.fromEntries(values.map((value, index) => [index + 1, boundValue(value)]));
    if (!statement.reader) return { rows: [], rowCount: statement.run(bound).changes };
    const rows = statement.all(bound) as Row[];
    return { rows, rowCount: rows.length };
  }
}

/** Lists are read with `json_each`. */
function boundValue(value: unknown): unknown {
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

/** Null for other errors than those of the disk. */
function unavailable(error: unknown): RuntimeError | null {
  if (!(error instanceof SqliteError) || !/^SQLITE_(FULL|IOERR|BUSY|READONLY)/.test(error.code)) return null;
  const message =
    'The vector stores cannot be changed at the moment: the disk is full or fails. Nothing was changed. Try again.';
  return new RuntimeError('unavailable', message, { cause: error, retryAfter: 5 });
}
