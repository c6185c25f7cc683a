import type { DuckDBConnection } from '@duckdb/node-api';
import { Mutex } from '../../../core/shared/mutex.ts';

/**
 * How many threads the engine has. A query of one tenant alone uses every processor. While several
 * tenants ask, each query keeps to the thread that it began on, so that a large one leaves processors
 * to the small ones of others (docs/decisions/0017-queries.md).
 */
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

  /** `connection` is one of its own, of an engine that was just opened. */
  static async open(connection: DuckDBConnection): Promise<EngineThreads> {
    const reader = await connection.runAndReadAll("SELECT current_setting('threads')");
    return new EngineThreads(connection, Number(reader.getRows()[0]?.[0] ?? 1));
  }

  /** Takes effect soon: queries that run reach the end of a part of their work first. */
  share(isContended: boolean): void {
    const wanted = isContended ? 1 : this.all;
    if (wanted === this.current) return;
    this.current = wanted;
    // A query is right with any number of threads.
    this.changes.runExclusive(() => this.connection.run(`SET threads = ${wanted}`)).catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.changes.runExclusive(async () => this.connection.closeSync());
  }
}
