import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { PlanResult, QueryPlan } from '../../../core/analytics/events/query-plan.ts';
import type {
  AppendResult,
  CompactedFile,
  Erasure,
  FileEventStore,
  KnownEvent,
  KnownProperty,
  OldestEvents,
  StoredEvent,
  StoreStats,
} from '../../../core/analytics/events/store.ts';
import { FairLimiter } from '../../../core/base/concurrency/fair-limiter.ts';
import { Mutex } from '../../../core/base/concurrency/mutex.ts';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { QUARANTINE_FILE, SPOOL_FILE } from '../../installation/names.ts';
import type { GroupLimits } from '../answers/groups.ts';
import { answer } from '../compile/answer.ts';
import { AppendQueue, backlogIsFull, type SpooledAppend } from '../shared/append-queue.ts';
import { NO_OBSERVER } from '../shared/observer.ts';
import { type PackedBatch, packBatch, type SlicedBatch, wholeBatch } from '../shared/packed-batch.ts';
import { reachOf } from '../shared/reach.ts';
import { positionOf } from '../shared/receipts.ts';
import { type CleanClose, diskOf } from './clean-close.ts';
import type { AnalyticsDatabase } from './database.ts';
import { isMachineFault, unavailable } from './faults.ts';
import type { DuckdbObserver } from './observer.ts';
import { type OpenFiles, type OpenFilesOptions, openFiles } from './open-files.ts';
import { duckdbEngine } from './read/engine.ts';
import { Compactor, copyTables } from './upkeep/compactor.ts';
import { damageOfEvents, examineStore } from './upkeep/examine.ts';
import { Maintenance } from './upkeep/maintenance.ts';
import { Remover } from './upkeep/remover.ts';
import { FIRST_CURSOR, FIRST_FORGET_MS, FORGET_INTERVAL_MS } from './write/caller-ids.ts';
import { DEFAULT_DELAY_MS, FlushScheduler } from './write/flush-scheduler.ts';
import { Flusher } from './write/flusher.ts';
import { knownEvents } from './write/known.ts';

export interface EventStoreOptions extends OpenFilesOptions {
  /** How long a caller's event id is remembered. */
  dedupWindowMs: number;
  /** Backpressure: with a larger backlog, in bytes of JSON, appends are refused. */
  backlogLimit: number;
  /** For tests on slow machines, instead of LATE_MS. */
  lateMs?: number;
  /** Only for tests. */
  groupLimits?: GroupLimits;
}

/** Concurrent queries: in all (of a tenant alone one less), of a tenant among others. */
const MAX_QUERIES = 4;
const MAX_QUERIES_CONTENDED = 1;
const MAX_WAITING_QUERIES = 100;

const NO_TENANT = 0;

/** Events in DuckDB behind a durable SQLite spool (docs/architecture.md). */
export class DuckdbEventStore implements FileEventStore {
  private readonly options: EventStoreOptions;
  private readonly observer: DuckdbObserver;
  private readonly parts: OpenFiles;
  private readonly writing = new Mutex();
  private readonly flusher: Flusher;
  private readonly flushing: FlushScheduler;
  private readonly appends: AppendQueue;
  private readonly maintenance: Maintenance;
  private readonly remover: Remover;
  private readonly compactor: Compactor;
  private readonly queries: FairLimiter;
  private readonly forgetting: PeriodicTask;
  private closed = false;

  private constructor(options: EventStoreOptions, parts: OpenFiles, observer: DuckdbObserver) {
    this.options = options;
    this.observer = observer;
    this.parts = parts;
    this.flusher = new Flusher({ ...parts, writing: this.writing }, observer);
    const onFlushed = (events: number) => this.maintenance.arrived(events);
    const reopen = () => this.exclusively(() => this.reopen());
    this.flushing = new FlushScheduler(
      { ...parts, flusher: this.flusher, onFlushed, reopen, lateMs: options.lateMs },
      observer,
    );
    this.maintenance = new Maintenance(parts, observer, (error) => this.flushing.noticeFault(error));
    this.appends = new AppendQueue({
      spoolId: parts.spool.id,
      atOnce: 1,
      store: (batches) => this.appendAll(batches),
    });
    this.remover = new Remover(parts, observer, {
      exclusively: (use, urgent) =>
        this.exclusively(async () => {
          await this.compactor.abandon();
          return use();
        }, urgent),
      visiblePosition: () => this.flushing.visiblePosition,
    });
    this.compactor = new Compactor(
      {
        directory: options.directory,
        files: parts,
        flushing: this.flushing,
        exclusively: (use) => this.exclusively(use),
        reload: () => this.reload(),
      },
      observer,
    );
    const queries = Math.max(1, Math.round(MAX_QUERIES * parts.memoryShare));
    this.queries = new FairLimiter({
      concurrency: queries,
      perKeyAlone: Math.max(1, queries - 1),
      perKeyContended: MAX_QUERIES_CONTENDED,
      maxQueue: MAX_WAITING_QUERIES,
      maxWaitMs: options.queryTimeoutMs,
      rejection: 'Too many queries of this tenant are waiting. Try again.',
    });
    this.forgetting = new PeriodicTask({
      firstMs: FIRST_FORGET_MS,
      everyMs: FORGET_INTERVAL_MS,
      run: () => this.forgetIds(),
    });
  }

  /** Flushes the spool too. Rejects with an UnusableFile when a file is damaged. */
  static async open(options: EventStoreOptions, observing: Partial<DuckdbObserver> = {}): Promise<DuckdbEventStore> {
    const observer = { ...NO_OBSERVER, ...observing };
    await examineStore(options.directory, options.identities);
    const parts = await openFiles(options, observer).catch((error: unknown) => {
      throw damageOfEvents(options.directory, error) ?? error;
    });
    const store = new DuckdbEventStore(options, parts, observer);
    await store.maintenance.readState();
    await store.remover.forgetErased();
    await store.flushing.tryFlush();
    return store;
  }

  append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult> {
    return this.appends.append(packBatch(tenantId, events, visibleWithinMs));
  }

  /** The parts are UTF-8. */
  appendSliced({ parts, ...batch }: SlicedBatch<Uint8Array>): Promise<AppendResult> {
    const texts = parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString());
    return this.appends.append(wholeBatch({ ...batch, parts: texts }));
  }

  async waitFor(receipt: string, timeoutMs: number): Promise<boolean> {
    const { spool } = this.parts;
    return this.flushing.waitFor(Math.min(positionOf(receipt, spool.id), spool.durable), timeoutMs);
  }

  async query(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult> {
    const { changes, resultCache } = this.parts;
    const { lateSince } = this.flushing;
    const isCurrent = (version: number) => changes.lastOf(tenantId, reachOf(plan)) <= version;
    const result = await resultCache.result([tenantId, plan], { now: changes.version, isCurrent }, () =>
      this.queries.run(tenantId, () => this.answer(tenantId, plan, signal), signal),
    );
    return lateSince === null ? result : { ...result, lateSince };
  }

  async knownEvents(tenantId: string, agentId: string | null): Promise<KnownEvent[]> {
    const find = this.parts.catalogue.finder(tenantId);
    return this.readFor(tenantId, async (connection) => {
      const tenant = await find(connection);
      return tenant ? knownEvents(connection, tenant.number, agentId) : [];
    });
  }

  async knownProperties(tenantId: string, agentId: string | null, eventNames: string[]): Promise<KnownProperty[]> {
    const { catalogue } = this.parts;
    const tenant = catalogue.inMemory(tenantId) ?? (await this.readFor(tenantId, catalogue.finder(tenantId)));
    return tenant?.properties(agentId, eventNames) ?? [];
  }

  async settle(): Promise<void> {
    const { spool } = this.parts;
    await spool.settle();
    if (spool.durable > this.flushing.visiblePosition) this.flushing.appended(spool.durable, 0);
    await this.flushing.flushAll();
  }

  async erase(tenantId: string, erasure: Erasure): Promise<number> {
    await this.settle();
    return this.remover.erase(tenantId, erasure);
  }

  expiring(before: number): Promise<OldestEvents> {
    return this.read((connection) => this.remover.oldest(connection, before));
  }

  expire(tenantId: string, before: number): Promise<number> {
    return this.remover.expire(tenantId, before);
  }

  async copyTo(directory: string): Promise<void> {
    const from = this.options.directory;
    await this.exclusively(async () => {
      await copyTables(this.parts, from, directory);
      const quarantine = join(from, QUARANTINE_FILE);
      if (existsSync(quarantine)) await copyFile(quarantine, join(directory, QUARANTINE_FILE));
      // Last: the copied spool also has later appends, and flushes them when opened.
      await this.parts.spool.copyTo(join(directory, SPOOL_FILE));
    });
    this.observer.onStage('copy:made');
  }

  compact(): Promise<CompactedFile> {
    return this.compactor.compact();
  }

  async stats(): Promise<StoreStats> {
    const { spool, catalogue, quarantine, resultCache, kept } = this.parts;
    const { tenants, columns, crowded } = catalogue.counts;
    return {
      backlog: { ...spool.backlog, limitBytes: this.options.backlogLimit },
      failingSince: this.flushing.failingSince,
      lateSince: this.flushing.lateSince,
      tenants,
      quarantined: quarantine.count,
      resultCache: resultCache.stats,
      files: {
        ...this.maintenance.state,
        learnedColumns: columns,
        crowdedTenants: crowded,
        keptColumns: kept.stats,
        disk: diskOf(this.options.directory),
      },
    };
  }

  async ping(): Promise<void> {
    this.flushing.assertWorking();
    await this.read(async () => undefined);
  }

  async close(): Promise<void> {
    if (this.closed) return;
    const appended = this.appends.close();
    this.closed = true;
    await appended;
    void this.forgetting.close();
    await this.compactor.stop();
    await this.maintenance.stop();
    await this.flushing.close();
    const clean = await this.cleanClose().catch(() => null);
    await this.parts.database.close();
    await this.parts.spool.close(clean);
  }

  private async appendAll(batches: PackedBatch[]): Promise<SpooledAppend[]> {
    const { spool } = this.parts;
    const { backlogLimit, dedupWindowMs } = this.options;
    if (spool.backlog.bytes >= backlogLimit) throw backlogIsFull();
    try {
      const spooled = await spool.append(batches, Date.now(), dedupWindowMs);
      const delays = batches.map(({ visibleWithinMs = DEFAULT_DELAY_MS }) => visibleWithinMs);
      this.flushing.appended(spool.durable, Math.min(...delays));
      return spooled;
    } catch (error) {
      if (!(error instanceof RuntimeError && error.cause === undefined)) this.observer.onFault(error);
      throw error;
    }
  }

  /** Null if something is left to do. */
  private async cleanClose(): Promise<CleanClose | null> {
    const { remover, flushing } = this;
    if (!flushing.isAtRest || !(await remover.hasForgottenErased())) return null;
    const oldest = await remover.oldest(this.parts.database.writer, Number.POSITIVE_INFINITY);
    return { stats: await this.stats(), oldest };
  }

  private async reopen(): Promise<void> {
    await this.parts.database.reopen();
    await this.reload();
  }

  /** After a commit in doubt or another file, nothing in memory is known to be in the tables. */
  private async reload(): Promise<void> {
    const { catalogue, changes, database, resultCache } = this.parts;
    await catalogue.open(database.writer);
    this.flusher.forgetTable();
    changes.changedAll();
    resultCache.clear();
  }

  private async exclusively<Result>(use: () => Promise<Result>, urgent = true): Promise<Result> {
    try {
      return await this.maintenance.exclusively(() => this.writing.runExclusive(use), { urgent });
    } catch (error) {
      this.flushing.noticeFault(error);
      throw isMachineFault(error) ? unavailable(error) : error;
    }
  }

  private async forgetIds(): Promise<void> {
    const before = Date.now() - this.options.dedupWindowMs;
    for (let cursor: Buffer | null = FIRST_CURSOR; cursor !== null; ) {
      // One slice a tick, so that an append waits for at most one.
      await nextTick();
      if (this.closed) return;
      try {
        cursor = await this.parts.spool.forgetIds(cursor, before);
      } catch (error) {
        this.observer.onFault(error);
        return;
      }
    }
  }

  private async answer(tenantId: string, plan: QueryPlan, signal?: AbortSignal): Promise<PlanResult> {
    const { catalogue, kept } = this.parts;
    const known = plan.kind === 'aggregate' ? await kept.answer(catalogue.inMemory(tenantId), plan, signal) : null;
    if (known) return known;
    const find = catalogue.finder(tenantId);
    return this.readShared(
      tenantId,
      async (connection, { layout }) => {
        const { number = NO_TENANT, columns: paths = null } = (await find(connection)) ?? {};
        return answer(duckdbEngine(connection, { tenant: number, paths, layout }), plan, this.options.groupLimits);
      },
      signal,
    );
  }

  private readFor<Result>(tenantId: string, use: Use<Result>): Promise<Result> {
    return this.queries.run(tenantId, () => this.readShared(tenantId, use));
  }

  private readShared<Result>(tenantId: string, use: Use<Result>, signal?: AbortSignal): Promise<Result> {
    this.parts.database.shareProcessors(this.queries.isBusy || this.queries.isContended(tenantId));
    return this.read(use, signal);
  }

  private async read<Result>(use: Use<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await this.parts.database.read(use, { timeoutMs: this.options.queryTimeoutMs, signal });
    } catch (error) {
      this.flushing.noticeFault(error);
      throw error;
    }
  }
}

type Use<Result> = Parameters<typeof AnalyticsDatabase.prototype.read<Result>>[0];
