import type { FileEventStore, StoreStats } from '../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { assertAccepts, diskOf, examineClosed, findOldestEvents, type OldestEvents } from './clean-close.ts';
import { unavailable } from './faults.ts';
import type { EventStoreOptions } from './store.ts';
import { openEventThread, type ThreadObserver } from './thread.ts';

/**
 * The event thread, opened by the first use after a clean close, and otherwise right away
 * (docs/decisions/0029-event-store-at-first-use.md). Rejects with an UnusableFile.
 */
export async function openEventsAtFirstUse(
  options: EventStoreOptions,
  observer: ThreadObserver,
  openThread = openEventThread,
): Promise<FileEventStore> {
  const closed = await examineClosed(options.directory, options.identities);
  if (closed === null) return openThread(options, observer);
  return new EventsAtFirstUse(options, closed, async () => {
    try {
      return await openThread(options, observer);
    } catch (error) {
      observer.onFault(error as Error);
      throw unavailable(error);
    }
  }).port();
}

class EventsAtFirstUse {
  private readonly options: EventStoreOptions;
  private readonly closed: StoreStats;
  /** Read when it is first needed. */
  private oldest: OldestEvents | null = null;
  private readonly openThread: () => Promise<FileEventStore>;
  /** Null before the first use, and after an opening that failed. */
  private thread: Promise<FileEventStore> | null = null;
  /** When opening failed, in epoch milliseconds. Null if it has not, or has succeeded since. */
  private failingSince: number | null = null;
  private ended = false;

  constructor(options: EventStoreOptions, closed: StoreStats, openThread: () => Promise<FileEventStore>) {
    this.options = options;
    this.closed = closed;
    this.openThread = openThread;
  }

  port(): FileEventStore {
    return {
      append: async (...args) => (await this.open()).append(...args),
      waitFor: async (...args) => (await this.open()).waitFor(...args),
      settle: async () => (await this.open()).settle(),
      query: async (...args) => (await this.open()).query(...args),
      knownEvents: async (...args) => (await this.open()).knownEvents(...args),
      knownProperties: async (...args) => (await this.open()).knownProperties(...args),
      erase: async (...args) => (await this.open()).erase(...args),
      expire: (...args) => this.expire(...args),
      copyTo: async (directory) => (await this.open()).copyTo(directory),
      compact: async () => (await this.open()).compact(),
      stats: async () => (this.thread === null ? this.statsWhileClosed() : (await this.thread).stats()),
      ping: () => this.ping(),
      close: () => this.close(),
    };
  }

  /** Concurrent calls share one opening; after a failure the next call tries again. */
  private open(): Promise<FileEventStore> {
    if (this.ended) {
      return Promise.reject(new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 }));
    }
    this.thread ??= this.openThread().then(
      (thread) => {
        this.failingSince = null;
        return thread;
      },
      (error: unknown) => {
        this.failingSince ??= Date.now();
        this.thread = null;
        throw error;
      },
    );
    return this.thread;
  }

  /** Retention asks every hour; it opens the store only if there is something to remove. */
  private async expire(tenantId: string, before: number): Promise<number> {
    if (this.thread === null) this.oldest ??= findOldestEvents(this.options.directory);
    if (this.thread === null && this.oldest !== null) {
      const oldest = this.oldest[tenantId];
      if (oldest === undefined || (oldest !== null && oldest >= before)) return 0;
    }
    return (await this.open()).expire(tenantId, before);
  }

  private statsWhileClosed(): StoreStats {
    const { closed: stats } = this;
    const { directory, backlogLimit } = this.options;
    return {
      ...stats,
      backlog: { batches: 0, bytes: 0, limitBytes: backlogLimit },
      failingSince: this.failingSince,
      lateSince: null,
      resultCache: { hits: 0, misses: 0, bytes: 0 },
      files: { ...stats.files!, keptColumns: { bytes: 0, answers: 0 }, disk: diskOf(directory) },
    };
  }

  /** A closed store is ready if its spool would accept events and no opening has failed. */
  private async ping(): Promise<void> {
    if (this.thread !== null || this.failingSince !== null) return (await this.open()).ping();
    try {
      assertAccepts(this.options.directory);
    } catch (error) {
      throw unavailable(error);
    }
  }

  private async close(): Promise<void> {
    this.ended = true;
    const thread = await this.thread?.catch(() => null);
    await thread?.close();
  }
}
