import BetterSqlite3, { type Database } from 'better-sqlite3';
import { load as loadVectors } from 'sqlite-vec';
import { markInstallation } from '../../state/sqlite/identity.ts';
import { switchToWal } from '../../state/sqlite/lock.ts';
import { Statements } from '../../state/sqlite/prepared.ts';
import { diskFault, SqliteWriter } from '../../state/sqlite/writer.ts';
import type { Durability, RowsClient, RowsDatabase } from '../rows/engine.ts';
import { migrate } from './schema.ts';

/** Large pages suit vectors: five of 384 numbers fit. */
const PAGE_BYTES = 8_192;
const WHAT = 'The vector stores';

/** `memoryShare` is a factor of sizes that are given for a server with plenty of memory. */
export function openKnowledge(path: string, installationId?: string, memoryShare = 1): Database {
  const database = new BetterSqlite3(path, { timeout: 5_000 });
  try {
    loadVectors(database);
    // Both must precede the tables; later they have no effect.
    database.pragma(`page_size = ${PAGE_BYTES}`);
    database.pragma('auto_vacuum = INCREMENTAL');
    switchToWal(database);
    // Erased data must not remain in free pages.
    database.pragma('secure_delete = ON');
    database.pragma(`cache_size = -${Math.round(65_536 * memoryShare)}`);
    migrate(database);
    if (installationId !== undefined) markInstallation(database, installationId);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function openForSearch(path: string, memoryShare = 1): Database {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: 5_000 });
  loadVectors(database);
  database.pragma(`cache_size = -${Math.round(16_384 * memoryShare)}`);
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
  readonly writer: SqliteWriter;
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
    this.statements = statementsOf(database);
    this.writer = new SqliteWriter(database, WHAT);
  }

  async query<Row extends object>(text: string, values?: readonly unknown[], durability?: Durability) {
    const run = () => this.run<Row>(text, values);
    return this.statements.of(text).readonly ? this.writer.read(run) : this.alone(run, durability);
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
  alone<Result>(work: () => Result | Promise<Result>, durability?: Durability): Promise<Result> {
    return this.writer.change(async () => {
      try {
        return await work();
      } catch (error) {
        throw diskFault(WHAT, error) ?? error;
      }
    }, durability);
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
