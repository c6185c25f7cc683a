import type { DuckDBConnection } from '@duckdb/node-api';
import { Mutex } from '../../../../core/base/concurrency/mutex.ts';

/** While several tenants query, a query has one thread (docs/decisions/0017-queries.md). */
export class EngineThreads {
  private readonly connection: DuckDBConnection;
  private readonly all: number;
  private readonly changes = new Mutex();
  private current: number;

  private constructor(connection: DuckDBConnection, all: number) {
    this.connection = connection;
    this.all = all;
    this.current = all;
  }

  /** `connection` is used for nothing else, and its engine was just opened. */
  static async open(connection: DuckDBConnection): Promise<EngineThreads> {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    return new EngineThreads(connection, Number(reader.getRows()[0]?.[0] ?? 1));
  }

  /** Takes effect once running queries finish the current part of their work. */
  share(isContended: boolean): void {
    const wanted = isContended ? 1 : this.all;
    if (wanted === this.current) return;
    this.current = wanted;
    // After a failure queries are slower or less fair, but correct.
    this.changes.runExclusive(() => this.connection.run(`SET threads = ${wanted}`)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.changes.runExclusive(async () => this.connection.closeSync());
  }
}
