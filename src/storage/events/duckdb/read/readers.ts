import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import type { Layout } from '../tables.ts';

/** The engine loses an interrupt that arrives before the statement begins, so it is repeated. */
const INTERRUPT_EVERY_MS = 50;

/** Connection pool: a query has its own connection, so interrupts hit no other. */
export class Readers {
  private readonly instance: DuckDBInstance;
  private readonly idle: DuckDBConnection[];
  private readonly maxIdle: number;
  private readonly busy = new Set<DuckDBConnection>();
  private connecting = 0;
  private closed = false;

  private constructor(instance: DuckDBInstance, idle: DuckDBConnection[]) {
    this.instance = instance;
    this.idle = idle;
    this.maxIdle = idle.length;
  }

  static async open(instance: DuckDBInstance, count: number): Promise<Readers> {
    return new Readers(instance, await Promise.all(Array.from({ length: count }, () => instance.connect())));
  }

  async read<Result>(
    use: (connection: DuckDBConnection, layout: Layout) => Promise<Result>,
    begin: (connection: DuckDBConnection) => Promise<Layout>,
    ended: AbortSignal,
  ): Promise<Result> {
    ended.throwIfAborted();
    const connection = await this.acquire();
    let again: PeriodicTask | undefined;
    const interrupt = () => {
      connection.interrupt();
      again = new PeriodicTask({ everyMs: INTERRUPT_EVERY_MS, run: () => connection.interrupt() });
    };
    ended.addEventListener('abort', interrupt, { once: true });
    try {
      const layout = await begin(connection);
      ended.throwIfAborted();
      return await use(connection, layout);
    } finally {
      ended.removeEventListener('abort', interrupt);
      void again?.close();
      // The result need not wait for the rollback.
      void this.release(connection);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    while (this.busy.size > 0 || this.connecting > 0) {
      for (const connection of this.busy) connection.interrupt();
      await new Promise((next) => setTimeout(next, 5));
    }
    for (const connection of this.idle.splice(0)) connection.closeSync();
  }

  private async release(connection: DuckDBConnection): Promise<void> {
    const free = await this.rolledBack(connection);
    if (free === null || this.closed || this.idle.length >= this.maxIdle) free?.closeSync();
    else this.idle.push(free);
    this.busy.delete(connection);
  }

  /** A new connection if an interrupt hit the rollback. */
  private async rolledBack(connection: DuckDBConnection): Promise<DuckDBConnection | null> {
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
