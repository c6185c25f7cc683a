import type { FileEventStore, StoreStats } from '../../../core/analytics/events/store.ts';
import { OnDemand } from '../../../core/base/concurrency/on-demand.ts';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import { assertAccepts, type CleanClose, diskOf, examineClosed, findCleanClose } from './closed-store.ts';
import { unavailable } from './faults.ts';
import type { EventStoreOptions } from './store.ts';
import { type EventThread, openEventThread, type ThreadObserver } from './thread.ts';
import { FORGET_INTERVAL_MS } from './write/caller-ids.ts';

/** Without a use for so long, the event thread is closed. */
const REST_MS = 5 * 60_000;

/**
 * The event thread, opened by a use and closed at rest
 * (docs/decisions/0029-event-store-on-demand.md). Opens at once, and rejects with an UnusableFile,
 * unless this version has closed the store cleanly.
 */
export async function openEventsOnDemand(
  options: EventStoreOptions,
  observer: ThreadObserver,
  { restMs = REST_MS, openThread = openEventThread }: OnDemandSettings = {},
): Promise<FileEventStore> {
  const closed = await examineClosed(options.directory, options.identities);
  const events = new EventsOnDemand({ options, observer, restMs, openThread }, closed);
  if (closed === null) await events.open();
  return events.port();
}

interface OnDemandSettings {
  restMs?: number;
  openThread?: typeof openEventThread;
}

interface Parts extends Required<OnDemandSettings> {
  options: EventStoreOptions;
  observer: ThreadObserver;
}

class EventsOnDemand {
  private readonly parts: Parts;
  private readonly thread: OnDemand<EventThread>;
  private readonly forgetting: PeriodicTask;
  /** Null while it is open, until the first clean close, and after one that was not. */
  private closed: CleanClose | null;
  private hasStarted: boolean;
  /** Epoch milliseconds. Null: the last opening succeeded. */
  private failingSince: number | null = null;
  /** Of the threads before. */
  private readonly cached = { hits: 0, misses: 0 };

  constructor(parts: Parts, closed: CleanClose | null) {
    this.parts = parts;
    this.closed = closed;
    this.hasStarted = closed !== null;
    this.thread = new OnDemand({
      open: () => this.openThread(),
      close: (thread) => this.closeThread(thread),
      isAtRest: (thread) => thread.isAtRest(),
      restMs: parts.restMs,
      onError: (error) => parts.observer.onFault(error as Error),
    });
    this.forgetting = new PeriodicTask({ everyMs: FORGET_INTERVAL_MS, run: () => this.forgetIds() });
  }

  async open(): Promise<void> {
    await this.thread.open();
  }

  port(): FileEventStore {
    const use = this.thread.use.bind(this.thread);
    return {
      append: (...args) => use((thread) => thread.append(...args)),
      waitFor: (...args) => use((thread) => thread.waitFor(...args)),
      settle: () => use((thread) => thread.settle()),
      query: (...args) => use((thread) => thread.query(...args)),
      knownEvents: (...args) => use((thread) => thread.knownEvents(...args)),
      knownProperties: (...args) => use((thread) => thread.knownProperties(...args)),
      erase: (...args) => use((thread) => thread.erase(...args)),
      expire: (...args) => this.expire(...args),
      copyTo: (directory) => use((thread) => thread.copyTo(directory)),
      stats: () => this.stats(),
      ping: () => this.ping(),
      close: () => this.close(),
    };
  }

  private async openThread(): Promise<EventThread> {
    const { options, observer, openThread } = this.parts;
    try {
      const thread = await openThread(options, observer);
      this.closed = null;
      this.hasStarted = true;
      this.failingSince = null;
      return thread;
    } catch (error) {
      // The start fails with the error itself.
      if (!this.hasStarted) throw error;
      this.failingSince ??= Date.now();
      observer.onFault(error as Error);
      throw unavailable(error);
    }
  }

  private async closeThread(thread: EventThread): Promise<void> {
    let closed: CleanClose | null = null;
    try {
      await thread.close();
      closed = findCleanClose(this.parts.options.directory);
    } finally {
      this.closed = closed;
      // What is left to do is done when it opens. After the end of the server nothing opens.
      if (closed === null) this.thread.open().catch(() => undefined);
    }
    this.cached.hits += closed?.stats.resultCache.hits ?? 0;
    this.cached.misses += closed?.stats.resultCache.misses ?? 0;
  }

  /** Retention asks every hour; it opens the store only if there is something to remove. */
  private async expire(tenantId: string, before: number): Promise<number> {
    if (this.thread.isClosed && this.closed !== null) {
      const oldest = this.closed.oldest[tenantId];
      if (oldest === undefined || (oldest !== null && oldest >= before)) return 0;
    }
    return this.thread.use((thread) => thread.expire(tenantId, before));
  }

  private stats(): Promise<StoreStats> {
    const { directory, backlogLimit } = this.parts.options;
    return this.look(
      async (thread) => {
        const stats = await thread.stats();
        const { hits, misses, bytes } = stats.resultCache;
        const resultCache = { hits: hits + this.cached.hits, misses: misses + this.cached.misses, bytes };
        return { ...stats, resultCache };
      },
      async ({ stats }) => ({
        ...stats,
        backlog: { batches: 0, bytes: 0, limitBytes: backlogLimit },
        failingSince: this.failingSince,
        lateSince: null,
        resultCache: { ...this.cached, bytes: 0 },
        files: { ...stats.files!, disk: diskOf(directory) },
      }),
    );
  }

  /** While it is closed: the spool would accept events. */
  private ping(): Promise<void> {
    return this.look(
      (thread) => thread.ping(),
      async () => {
        // Only an opening that succeeds ends a failure.
        if (this.failingSince !== null) return (await this.thread.open()).ping();
        try {
          assertAccepts(this.parts.options.directory);
        } catch (error) {
          throw unavailable(error);
        }
      },
    );
  }

  /** Neither opens a store that is at rest nor keeps it open. */
  private async look<Result>(
    whileOpen: (thread: EventThread) => Promise<Result>,
    whileClosed: (closed: CleanClose) => Promise<Result>,
  ): Promise<Result> {
    const thread = this.thread.opened;
    try {
      if (thread !== null) return await whileOpen(thread);
    } catch (error) {
      // Closed meanwhile.
      if (this.thread.opened === thread) throw error;
    }
    await this.thread.closing;
    // While it opens, it holds the spool.
    if (this.closed === null || !this.thread.isClosed) return whileOpen(await this.thread.open());
    return whileClosed(this.closed);
  }

  private forgetIds(): void {
    // Every opening forgets expired ids.
    if (this.thread.isClosed && this.closed?.hasCallerIds) this.open().catch(() => undefined);
  }

  private async close(): Promise<void> {
    void this.forgetting.close();
    await this.thread.close();
  }
}
