import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Layout } from '../tables.ts';

/** The engine forgets an interrupt that comes before its statement has begun: one is repeated until the read is over. */
const INTERRUPT_AGAIN_MS = 50;

/** The connections that read: one for each query, so that interrupting it hits no other. */
export class Readers {
  private readonly instance: DuckDBInstance;
  private readonly idle: DuckDBConnection[];
  private readonly kept: number;
  private readonly busy = new Set<DuckDBConnection>();
  private connecting = 0;
  private closed = false;

  private constructor(instance: DuckDBInstance, idle: DuckDBConnection[]) {
    this.instance = instance;
    this.idle = idle;
    this.kept = idle.length;
  }

  /** `count` connections are kept open; how many queries run at once is for the caller to limit. */
  static async open(instance: DuckDBInstance, count: number): Promise<Readers> {
    return new Readers(instance, await Promise.all(Array.from({ length: count }, () => instance.connect())));
  }

  /**
   * Runs `use` inside the snapshot that `begin` takes. When `ended` is aborted the engine is interrupted, and the read
   * rejects.
   */
  async read<Result>(
    use: (connection: DuckDBConnection, layout: Layout) => Promise<Result>,
    begin: (connection: DuckDBConnection) => Promise<Layout>,
    ended: AbortSignal,
  ): Promise<Result> {
    ended.throwIfAborted();
    const connection = await this.acquire();
    let again: NodeJS.Timeout | undefined;
    const interrupt = () => {
      connection.interrupt();
      again = setInterval(() => connection.interrupt(), INTERRUPT_AGAIN_MS);
    };
    ended.addEventListener('abort', interrupt, { once: true });
    try {
      const layout = await begin(connection);
      ended.throwIfAborted();
      return await use(connection, layout);
    } finally {
      ended.removeEventListener('abort', interrupt);
      clearInterval(again);
      // The answer need not wait for it.
      void this.giveBack(connection);
    }
  }

  /** Interrupts the reads that run, and resolves once every connection is closed. */
  async close(): Promise<void> {
    this.closed = true;
    while (this.busy.size > 0 || this.connecting > 0) {
      for (const connection of this.busy) connection.interrupt();
      await new Promise((next) => setTimeout(next, 5));
    }
    for (const connection of this.idle.splice(0)) connection.closeSync();
  }

  private async giveBack(connection: DuckDBConnection): Promise<void> {
    const free = await this.afresh(connection);
    if (free === null || this.closed || this.idle.length >= this.kept) free?.closeSync();
    else this.idle.push(free);
    this.busy.delete(connection);
  }

  /** The connection without its transaction. An interrupt that came late may have hit the rollback: then another one. */
  private async afresh(connection: DuckDBConnection): Promise<DuckDBConnection | null> {
    try {
      await connection.run('ROLLBACK');
      return connection;
    } catch {
      connection.closeSync();
      return this.instance.connect().catch(() => null);
    }
  }

  private async acquire(): Promise<DuckDBConnection> {
    if (this.closed) throw new Error('the file is closed');
    const connection = this.idle.pop() ?? (await this.connect());
    this.busy.add(connection);
    return connection;
  }

  private async connect(): Promise<DuckDBConnection> {
    this.connecting += 1;
    try {
      return await this.instance.connect();
    } finally {
      this.connecting -= 1;
    }
  }
}
