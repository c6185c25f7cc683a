import type { AppendResult, EventStore, FileEventStore, StoreNotice } from '../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../core/base/shared/errors.ts';
import { CallThread, remote, siblingModule, youngGenerationMb } from '../../../threads/call-thread.ts';
import { packInSlices, type SlicedBatch } from '../shared/packed-batch.ts';
import type { EventStoreOptions } from './store.ts';

export interface ThreadMethods extends Omit<FileEventStore, 'append'> {
  appendSliced(batch: SlicedBatch<Uint8Array>): Promise<AppendResult>;
}

/** Fsync and flush must not block HTTP (docs/decisions/0004-event-thread.md). */
export async function openEventThread(options: EventStoreOptions, observer: ThreadObserver): Promise<FileEventStore> {
  const thread = new CallThread<ThreadMethods, StoreNotice>({
    entry: siblingModule(import.meta.url, 'thread-entry'),
    workerData: options,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb(YOUNG_GENERATION_MB, options.memoryShare) },
    ...observer,
  });
  await thread.ready;
  return remote<FileEventStore, ThreadMethods>((method, args) => thread.call(method, args), {
    append: limitedAppend(thread, options.memoryShare ?? 1),
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

/** Backpressure, in bytes of events on their way to the thread. */
const MAX_IN_FLIGHT = 64 * 1024 * 1024;

const utf8 = new TextEncoder();

function limitedAppend(thread: CallThread<ThreadMethods, StoreNotice>, memoryShare: number): EventStore['append'] {
  let inFlight = 0;
  return async (tenantId, events, visibleWithinMs) => {
    // Parts are moved: a copy of all in one turn would hold up everybody.
    const batch = await packInSlices(tenantId, events, visibleWithinMs, (text) => utf8.encode(text));
    const buffers = batch.parts.map(({ buffer }) => buffer);
    const size = buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (inFlight > 0 && inFlight + size > MAX_IN_FLIGHT * memoryShare) {
      throw new RuntimeError('unavailable', 'Too many events are arriving at once; nothing was stored. Try again.', {
        retryAfter: 1,
      });
    }
    inFlight += size;
    try {
      return await thread.call('appendSliced', [batch], buffers);
    } finally {
      inFlight -= size;
    }
  };
}
