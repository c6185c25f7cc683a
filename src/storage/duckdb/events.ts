import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { invalid, RuntimeError } from '../../core/errors.ts';
import type { PlanResult, QueryPlan } from '../../core/events/query-plan.ts';
import type { AppendResult, EventStore, KnownEvent, KnownProperty, StoredEvent } from '../../core/events/store.ts';
import { answer } from './answer.ts';
import { Catalogue } from './catalogue.ts';
import { AnalyticsDatabase } from './database.ts';
import type { Source } from './expressions.ts';
import { flushedPosition } from './flush.ts';
import { Flusher } from './flusher.ts';
import { knownEvents, knownProperties } from './known.ts';
import { Maintenance } from './maintenance.ts';
import { Quarantine } from './quarantine.ts';
import { type AppendInput, ID_SLICES, Spool, type Spooled } from './spool.ts';
import { readLayout } from './tables.ts';
import { Turns } from './turns.ts';

export interface EventStoreOptions {
  /** Directory of `spool.sqlite` and `events.duckdb`. */
  directory: string;
  /** How long a caller's id is remembered. */
  dedupWindowMs: number;
  /** A query that takes longer is interrupted. */
  queryTimeoutMs: number;
  /** DuckDB's memory limit, for example `1GB`. */
  memoryLimit: string;
}

/** Arrivals become visible within this time, plus what the flush itself takes. */
const FLUSH_INTERVAL_MS = 200;
const RETRY_MS = 1_000;
/** A flush that has failed for so long needs somebody to look. */
const FAILING_MS = 5_000;
const READERS = 4;
const FORGET_INTERVAL_MS = 6 * 3_600_000;

/** Tracked events in DuckDB, behind a SQLite spool that makes them durable first. */
export class DuckdbEventStore implements EventStore {
  private readonly options: EventStoreOptions;
  private readonly database: AnalyticsDatabase;
  private readonly spool: Spool;
  private readonly catalogue: Catalogue;
  private readonly flusher: Flusher;
  private readonly maintenance: Maintenance;
  private readonly onError: (error: unknown) => void;
  private pendingAppends: PendingAppend[] = [];
  private waiters: { position: number; settle: (visible: boolean) => void }[] = [];
  private visible: number;
  private appended: number;
  private flushing: Promise<void> | null = null;
  private flushTimer: NodeJS.Timeout | null = null;
  private readonly forgetTimer: NodeJS.Timeout;
  private failingSince: number | null = null;
  private closed = false;

  private constructor(options: EventStoreOptions, parts: Parts, onError: (error: unknown) => void) {
    this.options = options;
    this.database = parts.database;
    this.spool = parts.spool;
    this.catalogue = parts.catalogue;
    this.visible = parts.visible;
    this.appended = parts.spool.lastPosition();
    this.onError = onError;
    this.flusher = new Flusher({ ...parts, writing: new Turns() }, onError);
    this.maintenance = parts.maintenance;
    this.forgetTimer = setInterval(() => void this.forgetIds(), FORGET_INTERVAL_MS).unref();
    void this.forgetIds();
  }

  /** Opens the store; what a crash left in the spool is visible when it resolves. */
  static async open(
    options: EventStoreOptions,
    onError: (error: unknown) => void = () => undefined,
  ): Promise<DuckdbEventStore> {
    const database = await AnalyticsDatabase.open(join(options.directory, 'events.duckdb'), {
      readers: READERS,
      memoryLimit: options.memoryLimit,
    });
    const spool = new Spool(join(options.directory, 'spool.sqlite'));
    const catalogue = await Catalogue.load(database.writer);
    const quarantine = new Quarantine(join(options.directory, 'quarantine.ndjson'));
    const visible = await flushedPosition(database.writer, spool.id);
    spool.discardThrough(visible);
    const maintenance = await Maintenance.start(database, { onCompacted: () => undefined, onFault: onError });
    const parts = { database, spool, catalogue, quarantine, maintenance, visible };
    const store = new DuckdbEventStore(options, parts, onError);
    await store.flusher.takeInEarlier();
    await store.tryFlush();
    return store;
  }

  /** Appends of one turn of the event loop share one transaction and one fsync. */
  append(tenantId: string, events: StoredEvent[]): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      this.pendingAppends.push({ batch: { tenantId, events }, resolve, reject });
      if (this.pendingAppends.length === 1) setImmediate(() => this.commitAppends());
    });
  }

  async waitFor(receipt: string, timeoutMs: number): Promise<boolean> {
    const position = this.positionOf(receipt);
    if (position <= this.visible) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeoutMs);
      const settle = (visible: boolean) => {
        clearTimeout(timer);
        this.waiters = this.waiters.filter((waiter) => waiter.settle !== settle);
        resolve(visible);
      };
      this.waiters.push({ position, settle });
      this.scheduleFlush(0);
    });
  }

  query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult> {
    return this.database.read(
      async (connection) => answer(connection, await this.sourceOf(connection, tenantId), plan),
      { timeoutMs: this.options.queryTimeoutMs, signal },
    );
  }

  async knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]> {
    const tenant = this.catalogue.find(tenantId);
    if (!tenant) return [];
    return this.database.read((connection) => knownEvents(connection, tenant.number, agentId), this.limits());
  }

  async knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]> {
    const tenant = this.catalogue.find(tenantId);
    if (!tenant) return [];
    return this.database.read(
      (connection) => knownProperties(connection, tenant.number, agentId, eventNames),
      this.limits(),
    );
  }

  /**
   * Where a tenant's events are. The snapshot comes first: what is learned is noted before the rows that teach it are
   * committed, so the catalogue knows at least as much as any snapshot taken before it is asked.
   */
  private async sourceOf(connection: DuckDBConnection, tenantId: string): Promise<Source> {
    const layout = await readLayout(connection);
    const paths = this.catalogue.find(tenantId);
    return { tenant: paths?.number ?? NOBODY, paths, layout };
  }

  async ping(): Promise<void> {
    if (this.failingSince !== null && Date.now() - this.failingSince > FAILING_MS) {
      throw new RuntimeError(
        'unavailable',
        'Events are stored, but have not become visible for a while. See the log.',
        {
          retryAfter: 5,
        },
      );
    }
    await this.database.read((connection) => connection.run('SELECT 1'), this.limits());
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.commitAppends();
    this.closed = true;
    clearInterval(this.forgetTimer);
    if (this.flushTimer) clearTimeout(this.flushTimer);
    await this.maintenance.stop();
    // What cannot be flushed now stays in the spool, durable, for the next start.
    await this.flush().catch(this.onError);
    for (const waiter of this.waiters) waiter.settle(false);
    this.database.close();
    this.spool.close();
  }

  private commitAppends(): void {
    const pending = this.pendingAppends;
    if (pending.length === 0) return;
    this.pendingAppends = [];
    try {
      if (this.closed) throw new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 });
      const batches = pending.map((append) => append.batch);
      const results = this.spool.append(batches, Date.now(), this.options.dedupWindowMs);
      for (const [index, append] of pending.entries()) append.resolve(this.acknowledge(results[index]!));
      this.scheduleFlush(FLUSH_INTERVAL_MS);
    } catch (error) {
      this.onError(error);
      for (const append of pending) append.reject(error);
    }
  }

  private acknowledge({ duplicates, position }: Spooled): AppendResult {
    this.appended = Math.max(this.appended, position);
    return { duplicates, receipt: Buffer.from(`${this.spool.id}:${position}`).toString('base64url') };
  }

  private positionOf(receipt: string): number {
    const [spoolId, position] = Buffer.from(receipt, 'base64url').toString().split(':');
    if (!spoolId || !/^\d+$/.test(position ?? '')) {
      throw invalid('waitFor: not a receipt; send the `receipt` of an ingest (over REST in the header x-wait-for)');
    }
    // A receipt of a spool that was replaced (a restored backup): what it held is either in the tables or gone.
    return spoolId === this.spool.id ? Math.min(Number(position), this.appended) : 0;
  }

  private scheduleFlush(delayMs: number): void {
    if (this.closed || this.visible >= this.appended) return;
    if (this.flushTimer) {
      if (delayMs > 0) return;
      clearTimeout(this.flushTimer);
    }
    this.flushTimer = setTimeout(() => {
      this.flushTimer = null;
      void this.tryFlush();
    }, delayMs);
  }

  /** A flush that fails loses nothing: its batches stay in the spool, and it is tried again. */
  private async tryFlush(): Promise<void> {
    try {
      await this.flush();
      this.failingSince = null;
    } catch (error) {
      this.failingSince ??= Date.now();
      this.onError(error);
      this.scheduleFlush(RETRY_MS);
    }
  }

  /** Moves everything spooled so far into the tables. Calls at the same time share one run. */
  private flush(): Promise<void> {
    this.flushing ??= this.drainSpool().finally(() => {
      this.flushing = null;
    });
    return this.flushing;
  }

  private async drainSpool(): Promise<void> {
    for (;;) {
      const flushed = await this.flusher.flushAfter(this.visible);
      if (flushed === null) return;
      this.visible = flushed.position;
      this.maintenance.arrived(flushed.events);
      this.spool.discardThrough(flushed.position);
      this.wakeWaiters();
    }
  }

  private wakeWaiters(): void {
    for (const waiter of this.waiters) if (waiter.position <= this.visible) waiter.settle(true);
  }

  private async forgetIds(): Promise<void> {
    const before = Date.now() - this.options.dedupWindowMs;
    for (let slice = 0; slice < ID_SLICES; slice++) {
      // One slice a turn of the event loop, so that no append waits for more than one.
      await new Promise((next) => setImmediate(next));
      if (this.closed) return;
      try {
        this.spool.forgetIds(slice, before);
      } catch (error) {
        this.onError(error);
        return;
      }
    }
  }

  private limits() {
    return { timeoutMs: this.options.queryTimeoutMs };
  }
}

interface Parts {
  database: AnalyticsDatabase;
  spool: Spool;
  catalogue: Catalogue;
  quarantine: Quarantine;
  maintenance: Maintenance;
  visible: number;
}

interface PendingAppend {
  batch: AppendInput;
  resolve: (result: AppendResult) => void;
  reject: (error: unknown) => void;
}

/** No tenant's number. */
const NOBODY = 0;
