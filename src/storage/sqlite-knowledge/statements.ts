import type { Database, Statement } from 'better-sqlite3';

const MAX_KEPT = 200;

// biome-ignore lint/suspicious/noExplicitAny: parameters and rows are what the text says
export type Prepared = Statement<any[], any>;

/** Caches prepared statements by their text: preparing costs SQLite more than a lookup. */
export class Statements {
  private readonly database: Database;
  private readonly kept = new Map<string, Prepared>();

  constructor(database: Database) {
    this.database = database;
  }

  of(text: string): Prepared {
    const known = this.kept.get(text);
    if (known) return known;
    if (this.kept.size >= MAX_KEPT) this.kept.clear();
    const statement = this.database.prepare(text) as Prepared;
    this.kept.set(text, statement);
    return statement;
  }

  atomically<Result>(work: () => Result): Result {
    return this.database.transaction(work).immediate();
  }

  /** A power failure, but no crash of the process, may undo it: for work that is repeated. */
  atomicallyUnsynced<Result>(work: () => Result): Result {
    this.database.pragma('synchronous = NORMAL');
    try {
      return this.atomically(work);
    } finally {
      this.database.pragma('synchronous = FULL');
    }
  }
}
