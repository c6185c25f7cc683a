import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';

const MAX_STATEMENTS = 200;

// biome-ignore lint/suspicious/noExplicitAny: parameters and rows are what the text says
type PreparedStatement = Statement<any[], any>;

/** Prepared statements of a connection, by their text. */
export class Statements {
  private readonly cache: LRUCache<string, PreparedStatement>;

  /** `inFile`: a text as SQLite reads it. */
  constructor(database: Database, inFile = (text: string) => text) {
    this.cache = new LRUCache({
      max: MAX_STATEMENTS,
      memoMethod: (text) => database.prepare(inFile(text)) as PreparedStatement,
    });
  }

  of(text: string): PreparedStatement {
    return this.cache.memo(text);
  }
}
