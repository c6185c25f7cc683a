import { type Database, SqliteError } from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { ConstraintViolation, type Violated } from '../sql/violations.ts';
import { SqliteStateAdapter } from './dialect.ts';
import { Statements } from './prepared.ts';
import { diskFault, SqliteWriter } from './writer.ts';

const WHAT = 'Tenants, keys, executions, reviews and dashboards';

/** One connection of SQLite. A change is on disk when its promise resolves. */
export class StateDialect implements Dialect {
  private readonly sqlite: Database;

  constructor(sqlite: Database) {
    this.sqlite = sqlite;
  }

  createAdapter = () => new SqliteStateAdapter();
  createQueryCompiler = () => new SqliteQueryCompiler();
  createIntrospector = (database: Kysely<unknown>) => new SqliteIntrospector(database);
  createDriver = () => new StateDriver(this.sqlite);
}

/** Kysely takes a connection for each statement or transaction: they share that of SQLite. */
class StateDriver implements Driver {
  private readonly sqlite: Database;
  private readonly writer: SqliteWriter;
  private readonly statements: Statements;

  constructor(sqlite: Database) {
    this.sqlite = sqlite;
    this.statements = new Statements(sqlite);
    this.writer = new SqliteWriter(sqlite, WHAT);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<StateConnection> {
    return new StateConnection(this.sqlite, this.statements, this.writer);
  }

  async releaseConnection(): Promise<void> {}

  beginTransaction = (connection: StateConnection) => connection.begin();
  commitTransaction = (connection: StateConnection) => connection.commit();
  rollbackTransaction = (connection: StateConnection) => connection.rollback();

  async destroy(): Promise<void> {
    await this.writer.close();
    this.sqlite.close();
  }
}

class StateConnection implements DatabaseConnection {
  private readonly sqlite: Database;
  private readonly statements: Statements;
  private readonly writer: SqliteWriter;
  private transaction: { end: () => void; done: Promise<void> } | null = null;

  constructor(sqlite: Database, statements: Statements, writer: SqliteWriter) {
    this.sqlite = sqlite;
    this.statements = statements;
    this.writer = writer;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = translated(() => this.statements.of(sql));
    const run = () => translated(() => execute<Row>(statement, parameters));
    if (this.transaction) return run();
    return statement.readonly ? this.writer.read(run) : this.writer.change(run);
  }

  streamQuery(): never {
    throw new Error('State is read in pages.');
  }

  async begin(): Promise<void> {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const done = this.writer.change(() => {
      this.run('begin');
      begun.resolve();
      return ended.promise;
    });
    await Promise.race([begun.promise, done]);
    this.transaction = { end: ended.resolve, done };
  }

  /** Others go on after the commit, during its sync. */
  async commit(): Promise<void> {
    this.run('commit');
    await this.end();
  }

  async rollback(): Promise<void> {
    // After a commit whose sync failed another transaction may be open. SQLite rolls back when the
    // disk fails: a second rollback would hide the cause.
    if (this.transaction && this.sqlite.inTransaction) this.run('rollback');
    this.end()?.catch(() => undefined);
  }

  private run(text: string): void {
    translated(() => this.statements.of(text).run());
  }

  private end(): Promise<void> | undefined {
    const { transaction } = this;
    this.transaction = null;
    transaction?.end();
    return transaction?.done;
  }
}

function execute<Row>(statement: ReturnType<Statements['of']>, parameters: readonly unknown[]): QueryResult<Row> {
  if (statement.reader) return { rows: statement.all(...parameters) as Row[] };
  const { changes, lastInsertRowid } = statement.run(...parameters);
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] };
}

/** After errors of the disk nothing changed, and a retry is safe. */
function translated<Result>(use: () => Result): Result {
  try {
    return use();
  } catch (error) {
    throw violation(error) ?? diskFault(WHAT, error) ?? error;
  }
}

const VIOLATIONS: Record<string, Violated> = {
  SQLITE_CONSTRAINT_PRIMARYKEY: 'primary key',
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign key',
};

function violation(error: unknown): ConstraintViolation | null {
  const violated = error instanceof SqliteError ? VIOLATIONS[error.code] : undefined;
  return violated ? new ConstraintViolation(violated, error) : null;
}
