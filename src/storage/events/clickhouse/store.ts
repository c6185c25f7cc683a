import type { PlanResult, QueryPlan } from '../../../core/analytics/events/query-plan.ts';
import {
  type AppendResult,
  type Erasure,
  EVENTS_LATE_AFTER_MS,
  type EventStore,
  type KnownEvent,
  type KnownProperty,
  type OldestEvents,
  type StoredEvent,
  type StoreStats,
} from '../../../core/analytics/events/store.ts';
import { FairLimiter } from '../../../core/base/concurrency/fair-limiter.ts';
import { WakeLoop } from '../../../core/base/concurrency/wake-loop.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import { answer } from '../compile/answer.ts';
import { AppendQueue, type SpooledAppend } from '../shared/append-queue.ts';
import { NO_OBSERVER } from '../shared/observer.ts';
import { type PackedBatch, packInSlices, wholeBatch } from '../shared/packed-batch.ts';
import { reachOf } from '../shared/reach.ts';
import { ResultCache } from '../shared/result-cache.ts';
import { hasChanged } from './changes.ts';
import { Clickhouse } from './client.ts';
import { notAcknowledged, unavailable } from './faults.ts';
import type { ClickhouseObserver } from './observer.ts';
import { clickhouseEngine } from './read/engine.ts';
import { knownEvents, knownPropertiesOf, VisibleTenants } from './read/tenants.ts';
import { checkVersion, createTables, tablesOf } from './schema.ts';
import { Backlog } from './write/backlog.ts';
import { forgetExpired } from './write/caller-ids.ts';
import { FLUSH_LEASE_MS, FlushLoop } from './write/flush-loop.ts';
import { Flusher } from './write/flusher.ts';
import { quarantined } from './write/quarantine.ts';
import { Receipts } from './write/receipts.ts';
import { RemovalRequests } from './write/removal-requests.ts';
import { Remover } from './write/removals.ts';
import { appendBatches, lastPosition } from './write/spool.ts';

export interface ClickhouseStoreOptions {
  /** Migrated; the caller closes it after the store. */
  pool: PostgresPool;
  /** `https://user:password@host:8443/database`; the database must exist. */
  clickhouseUrl: string;
  /** How long a caller's event id is remembered. */
  dedupWindowMs: number;
  /** Longer queries are interrupted. */
  queryTimeoutMs: number;
  /** Backpressure: with a larger backlog, in bytes of JSON, appends are refused. */
  backlogLimit: number;
  /** 0 or undefined turns the cache off. */
  resultCacheBytes?: number;
  /** For tests: after so long another node takes over. */
  leaseMs?: number;
}

/** Concurrent queries of this node: in all, of a tenant alone, of a tenant among others. */
const MAX_QUERIES = 16;
const MAX_QUERIES_ALONE = 12;
const MAX_QUERIES_CONTENDED = 4;
const MAX_WAITING_QUERIES = 100;

/** Statements that append at once, and the most that one appends. */
const APPENDS = 4;
const APPEND_BATCHES = 50;
const APPEND_BYTES = 2_000_000;

/** Between two slices of caller ids that are forgotten, and after the last one. */
const FORGET_PAUSE_MS = 200;
const FORGET_INTERVAL_MS = 60_000;
/**
 * Flushes and removals count what a tenant has: of billions of events too, whatever questions may
 * take.
 */
const MAINTENANCE_MS = 300_000;
const SETTLE_MS = 30_000;
/** An event that is invisible for longer is late: by then another node has taken over. */
const FAILING_MS = FLUSH_LEASE_MS + 15_000;

/**
 * Events of any number of nodes: accepted in PostgreSQL, with exact caller ids, and asked in
 * ClickHouse (docs/decisions/0041-events-on-clickhouse.md).
 */
export class ClickhouseEventStore implements EventStore {
  private readonly options: ClickhouseStoreOptions;
  private readonly observer: ClickhouseObserver;
  private readonly clickhouse: Clickhouse;
  private readonly tenants: VisibleTenants;
  private readonly results: ResultCache;
  private readonly receipts: Receipts;
  private readonly backlog: Backlog;
  private readonly appends: AppendQueue;
  private readonly flushing: FlushLoop;
  /** At every node: they leave each other's slices out. */
  private readonly forgetting: WakeLoop;
  private readonly removals: RemovalRequests;
  private readonly queries: FairLimiter;
  private closed = false;

  private constructor(
    options: ClickhouseStoreOptions,
    { clickhouse, storeId, observer }: { clickhouse: Clickhouse; storeId: string; observer: ClickhouseObserver },
  ) {
    const { pool, dedupWindowMs } = options;
    this.options = options;
    this.observer = observer;
    this.clickhouse = clickhouse;
    this.tenants = new VisibleTenants(pool);
    this.results = new ResultCache(options.resultCacheBytes ?? 0);
    this.receipts = new Receipts(pool, storeId, () => this.flushing.wake());
    this.backlog = new Backlog(pool, options.backlogLimit);
    const parts = { pool, clickhouse: clickhouse.withTimeout(MAINTENANCE_MS), tables: tablesOf(clickhouse) };
    const flusher = new Flusher(parts, observer);
    const remover = new Remover({ ...parts, flusher, receipts: this.receipts }, observer);
    this.flushing = new FlushLoop(
      { ...parts, flusher, remover, receipts: this.receipts, prepare: () => createTables(clickhouse) },
      observer,
      options.leaseMs,
    );
    this.appends = new AppendQueue({
      spoolId: storeId,
      atOnce: APPENDS,
      groupBatches: APPEND_BATCHES,
      groupBytes: APPEND_BYTES,
      store: (batches) => this.appendAll(batches),
    });
    this.forgetting = new WakeLoop({
      pass: async () => ((await forgetExpired(pool, dedupWindowMs)) ? FORGET_PAUSE_MS : FORGET_INTERVAL_MS),
      onError: (error) => observer.onFault(error),
    });
    this.removals = new RemovalRequests(pool, { wake: () => this.flushing.wake() });
    this.queries = new FairLimiter({
      concurrency: MAX_QUERIES,
      perKeyAlone: MAX_QUERIES_ALONE,
      perKeyContended: MAX_QUERIES_CONTENDED,
      maxQueue: MAX_WAITING_QUERIES,
      maxWaitMs: options.queryTimeoutMs,
      rejection: 'Too many queries of this tenant are waiting. Try again.',
    });
  }

  /** ClickHouse may be away: events are accepted, and questions `unavailable`, until it answers. */
  static async open(
    options: ClickhouseStoreOptions,
    observing: Partial<ClickhouseObserver> = {},
  ): Promise<ClickhouseEventStore> {
    const { pool, clickhouseUrl: url, queryTimeoutMs } = options;
    const clickhouse = await Clickhouse.open({ url, queryTimeoutMs });
    const { rows } = await pool.query<{ id: string }>('SELECT id FROM event_store');
    await checkVersion(clickhouse).catch(async (error: unknown) => {
      if (error instanceof RuntimeError && error.code === 'unavailable') return;
      await clickhouse.close();
      throw error;
    });
    const observer = { ...NO_OBSERVER, ...observing };
    const store = new ClickhouseEventStore(options, { clickhouse, storeId: rows[0]!.id, observer });
    store.forgetting.wake();
    await store.flushing.started;
    return store;
  }

  async append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult> {
    return this.appends.append(wholeBatch(await packInSlices(tenantId, events, visibleWithinMs, (text) => text)));
  }

  async waitFor(receipt: string, timeoutMs: number): Promise<boolean> {
    return this.receipts.waitFor(receipt, timeoutMs);
  }

  async settle(): Promise<void> {
    const { pool } = this.options;
    const position = await lastPosition(pool);
    const deadline = performance.now() + SETTLE_MS;
    while (performance.now() < deadline) {
      if (await this.receipts.wait(position, 500)) return;
      if (this.flushing.failingSince !== null) break;
    }
    throw new RuntimeError('unavailable', 'Accepted events cannot be moved to the tables at the moment. Try again.', {
      retryAfter: 5,
    });
  }

  async query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult> {
    this.assertOpen();
    signal?.throwIfAborted();
    const { number: tenant, flush, columns, version, lateSince } = await this.tenants.read(tenantId);
    const compute = () => {
      const source = { events: tablesOf(this.clickhouse).events, tenant, flush, columns };
      const engine = clickhouseEngine((sql) => this.clickhouse.rows(sql, signal), source);
      return this.queries.run(tenantId, () => answer(engine, plan), signal);
    };
    const isCurrent = async (known: number) =>
      known === version || !(await hasChanged(this.options.pool, tenantId, { since: known, reach: reachOf(plan) }));
    const result = await this.results.result([`${tenant}`, plan], { now: version, isCurrent }, compute);
    return lateSince === null ? result : { ...result, lateSince };
  }

  knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]> {
    return knownEvents(this.options.pool, tenantId, agentId);
  }

  knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]> {
    return knownPropertiesOf(this.options.pool, tenantId, { agentId, eventNames });
  }

  async erase(tenantId: string, erasure: Erasure): Promise<number> {
    this.assertOpen();
    // A node of the former release, which knows neither, would take it for the whole tenant.
    const isNew = 'threadPrefix' in erasure || 'threadIds' in erasure;
    const known = isNew ? { ...erasure, executionIds: [] } : erasure;
    return this.removals.run(tenantId, known);
  }

  expiring(before: number): Promise<OldestEvents> {
    return this.removals.expiring(before);
  }

  async expire(tenantId: string, before: number): Promise<number> {
    this.assertOpen();
    return this.removals.run(tenantId, { before });
  }

  async stats(): Promise<StoreStats> {
    const { pool } = this.options;
    const [{ batches, bytes, oldest, ageMs }, { rows }, refused] = await Promise.all([
      this.backlog.measure(),
      pool.query<{ count: number }>('SELECT count(*) AS count FROM event_tenants WHERE flush > 0'),
      quarantined(pool),
    ]);
    return {
      backlog: { batches, bytes, limitBytes: this.backlog.limit },
      failingSince: this.flushing.failingSince ?? (ageMs > FAILING_MS ? oldest : null),
      lateSince: ageMs > EVENTS_LATE_AFTER_MS ? oldest : null,
      tenants: rows[0]!.count,
      quarantined: refused,
      resultCache: this.results.stats,
      shared: { ageMs, isMoving: this.flushing.hasLease },
    };
  }

  async ping(): Promise<void> {
    this.assertOpen();
    const [{ ageMs }] = await Promise.all([this.backlog.measure(), this.clickhouse.rows('SELECT 1')]);
    if (ageMs <= FAILING_MS) return;
    throw new RuntimeError('unavailable', 'Events are stored, but have not become visible for a while. See the log.', {
      retryAfter: 5,
    });
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.appends.close();
    this.removals.close();
    await this.forgetting.close();
    await this.flushing.close();
    this.receipts.close();
    await this.clickhouse.close();
    await this.flushing.removalsEnded();
  }

  private async appendAll(batches: PackedBatch[]): Promise<SpooledAppend[]> {
    const { pool, dedupWindowMs } = this.options;
    try {
      await this.backlog.refuseIfFull();
      const spooled = await appendBatches(pool, batches, dedupWindowMs);
      this.backlog.add(batches.reduce((sum, { text }) => sum + text.length, 0));
      void this.appended();
      return spooled;
    } catch (error) {
      throw notAcknowledged(error);
    }
  }

  private async appended(): Promise<void> {
    await this.observer.onStage('append:committed');
    this.flushing.wake();
  }

  private assertOpen(): void {
    if (this.closed) throw unavailable(new Error('the store is closed'));
  }
}
