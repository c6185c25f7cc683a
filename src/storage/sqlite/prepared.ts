import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 200;

// biome-ignore lint/suspicious/noExplicitAny: parameters and rows are what the text says
export type Prepared = Statement<any[], any>;

export class Statements {
  private readonly database: Database;
  private readonly cache = new LRUCache<string, Prepared>({ max: MAX_STATEMENTS });

  constructor(database: Database) {
    this.database = database;
  }

  of(text: string): Prepared {
    const cached = this.cache.get(text);
    if (cached) return cached;
    const statement = this.database.prepare(text) as Prepared;
    this.cache.set(text, statement);
    return statement;
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
