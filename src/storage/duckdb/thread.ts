import type { AppendResult, EventStore, StoredEvent, StoreNotice } from '../../core/events/store.ts';
import { RuntimeError } from '../../core/shared/errors.ts';
import { CallThread } from '../../threads/call-thread.ts';
import { remote } from '../../threads/remote.ts';
import { siblingModule } from '../../threads/sibling-module.ts';
import type { EventStoreOptions } from './store.ts';
import { type PackedBatch, pack } from './write/packed-batch.ts';

export interface ThreadMethods extends Omit<EventStore, 'append'> {
  appendPacked(batch: PackedBatch): Promise<AppendResult>;
}

/** Fsync and flush must not block HTTP (docs/decisions/0004-event-thread.md). */
export async function openEventThread(options: EventStoreOptions, observer: ThreadObserver): Promise<EventStore> {
  const thread = new CallThread<ThreadMethods, StoreNotice>({
    entry: siblingModule(import.meta.url, 'thread-entry'),
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    ...observer,
  });
  await thread.ready;
  const appends = new Appends(thread);
  return remote<EventStore, ThreadMethods>((method, args) => thread.call(method, args), {
    append: (tenantId, events, visibleWithinMs) => appends.append(tenantId, events, visibleWithinMs),
    close: () => thread.close(),
  });
}

export interface ThreadObserver {
  /** Something failed that no caller waits for. */
  onFault(error: Error): void;
  onNotice(notice: StoreNotice): void;
}

/** The default young generation takes 100 MB more under full load, and is no faster. */
const YOUNG_GENERATION_MB = 24;

/** Backpressure, in characters of events on their way to the thread. */
const MAX_IN_FLIGHT = 64 * 1024 * 1024;

class Appends {
  private readonly thread: CallThread<ThreadMethods, StoreNotice>;
  private inFlight = 0;

  constructor(thread: CallThread<ThreadMethods, StoreNotice>) {
    this.thread = thread;
  }

  async append(tenantId: string, events: StoredEvent[], visibleWithinMs?: number): Promise<AppendResult> {
    const batch = pack(tenantId, events, visibleWithinMs);
    const size = batch.text.length;
    if (this.inFlight > 0 && this.inFlight + size > MAX_IN_FLIGHT) {
      throw new RuntimeError('unavailable', 'Too many events are arriving at once; nothing was stored. Try again.', {
        retryAfter: 1,
      });
    }
    this.inFlight += size;
    try {
      return await this.thread.call('appendPacked', [batch]);
    } finally {
      this.inFlight -= size;
    }
  }
}
