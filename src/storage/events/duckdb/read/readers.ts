import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import { beginReading, type Layout } from '../tables.ts';
import type { CommitLock } from '../transactions.ts';

/** The engine loses an interrupt that arrives before the statement begins, so it is repeated. */
const INTERRUPT_EVERY_MS = 50;
/** So long after a read, commits expect another one. */
const ACTIVE_MS = 5_000;

/** It has every commit up to that number. */
export interface Snapshot {
  commits: number;
  layout: Layout;
}

interface Reader {
  connection: DuckDBConnection;
  /** A transaction may be open. */
  isOpen: boolean;
  snapshot: Snapshot | null;
}

/**
 * Connection pool: a query has its own connection, so interrupts hit no other. A connection keeps
 * its snapshot until the next commit: beginning and ending one cost as much as a tenth of a query.
 */
export class Readers {
  private readonly instance: DuckDBInstance;
  private readonly lock: CommitLock;
  private readonly idle: Reader[];
  private readonly maxIdle: number;
  private latest: Snapshot | null = null;
  private lastReadAt = Number.NEGATIVE_INFINITY;
  private readonly busy = new Set<Reader>();
  private connecting = 0;
  private closed = false;

  private constructor(instance: DuckDBInstance, lock: CommitLock, idle: Reader[]) {
    this.instance = instance;
    this.lock = lock;
    this.idle = idle;
    this.maxIdle = idle.length;
  }

  static async open(instance: DuckDBInstance, lock: CommitLock, count: number): Promise<Readers> {
    const connections = await Promise.all(Array.from({ length: count }, () => instance.connect()));
    const idle = connections.map((connection) => ({ connection, isOpen: false, snapshot: null }));
    return new Readers(instance, lock, idle);
  }

  async read<Result>(
    use: (connection: DuckDBConnection, snapshot: Snapshot) => Promise<Result>,
    ended: AbortSignal,
  ): Promise<Result> {
    ended.throwIfAborted();
    this.lastReadAt = performance.now();
    const reader = await this.acquire();
    const { connection } = reader;
    let again: PeriodicTask | undefined;
    const interrupt = () => {
      connection.interrupt();
      again = new PeriodicTask({ everyMs: INTERRUPT_EVERY_MS, run: () => connection.interrupt() });
    };
    ended.addEventListener('abort', interrupt, { once: true });
    let isSound = false;
    try {
      const snapshot = await this.snapshotOf(reader);
      ended.throwIfAborted();
      const result = await use(connection, snapshot);
      isSound = !ended.aborted;
      return result;
    } finally {
      ended.removeEventListener('abort', interrupt);
      void again?.close();
      // The result need not wait for a rollback.
      void this.release(reader, isSound && this.isCurrent(reader));
    }
  }

  /** Before a commit: reads that arrive during it need not wait for its sync. */
  async prepare(): Promise<void> {
    if (performance.now() - this.lastReadAt > ACTIVE_MS) return;
    const stale = this.idle.filter((reader) => !this.isCurrent(reader));
    await Promise.all(
      stale.map(async (reader) => {
        this.take(reader);
        const isSound = await this.snapshotOf(reader).then(
          () => true,
          () => false,
        );
        await this.release(reader, isSound && this.isCurrent(reader));
      }),
    );
  }

  /** Ends snapshots that nothing reads: they would keep old versions of rows. */
  async rest(): Promise<void> {
    const open = this.idle.filter((reader) => reader.isOpen);
    await Promise.all(
      open.map((reader) => {
        this.take(reader);
        return this.release(reader, false);
      }),
    );
  }

  async close(): Promise<void> {
    this.closed = true;
    while (this.busy.size > 0 || this.connecting > 0) {
      for (const { connection } of this.busy) connection.interrupt();
      await new Promise((next) => setTimeout(next, 5));
    }
    for (const { connection } of this.idle.splice(0)) connection.closeSync();
  }

  private take(idle: Reader): void {
    this.idle.splice(this.idle.indexOf(idle), 1);
    this.busy.add(idle);
  }

  private isCurrent({ snapshot }: Reader): boolean {
    return snapshot !== null && snapshot.commits === this.lock.commits;
  }

  private async snapshotOf(reader: Reader): Promise<Snapshot> {
    const { snapshot } = reader;
    if (snapshot && this.isCurrent(reader)) return snapshot;
    return this.lock.begin(async () => {
      const { commits } = this.lock;
      const known = this.latest?.commits === commits ? this.latest.layout : null;
      const { connection, isOpen } = reader;
      reader.isOpen = true;
      const layout = await beginReading(connection, { known, isOpen });
      reader.snapshot = { commits, layout };
      this.latest = reader.snapshot;
      return reader.snapshot;
    });
  }

  private async release(reader: Reader, keepsSnapshot: boolean): Promise<void> {
    const free = keepsSnapshot ? reader : await this.rolledBack(reader);
    if (free === null || this.closed || this.idle.length >= this.maxIdle) free?.connection.closeSync();
    else this.idle.push(free);
    this.busy.delete(reader);
  }

  /** A new connection if an interrupt hit the rollback. */
  private async rolledBack(reader: Reader): Promise<Reader | null> {
    const { connection } = reader;
    try {
      if (reader.isOpen) await connection.run('ROLLBACK');
      return Object.assign(reader, { isOpen: false, snapshot: null });
    } catch {
      connection.closeSync();
      const next = await this.instance.connect().catch(() => null);
      return next && { connection: next, isOpen: false, snapshot: null };
    }
  }

  /** Prefers a connection whose snapshot has all commits. */
  private async acquire(): Promise<Reader> {
    if (this.closed) throw new Error('the file is closed');
    const at = this.idle.findLastIndex((reader) => this.isCurrent(reader));
    const [known] = this.idle.splice(at, 1);
    const reader = known ?? { connection: await this.connect(), isOpen: false, snapshot: null };
    this.busy.add(reader);
    return reader;
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
