import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 200;

// biome-ignore lint/suspicious/noExplicitAny: parameters and rows are what the text says
type PreparedStatement = Statement<any[], any>;

export class Statements {
  private readonly database: Database;
  private readonly cache: LRUCache<string, PreparedStatement>;

  constructor(database: Database) {
    this.database = database;
    this.cache = new LRUCache({
      max: MAX_STATEMENTS,
      memoMethod: (text) => database.prepare(text) as PreparedStatement,
    });
  }

  of(text: string): PreparedStatement {
    return this.cache.memo(text);
  }

  atomically<Result>(work: () => Result): Result {
    return this.database.transaction(work).immediate();
  }

  /** A power failure may undo it, a crash of the process not. */
  atomicallyUnsynced<Result>(work: () => Result): Result {
    this.database.pragma('synchronous = NORMAL');
    try {
      return this.atomically(work);
    } finally {
      this.database.pragma('synchronous = FULL');
    }
  }
}
