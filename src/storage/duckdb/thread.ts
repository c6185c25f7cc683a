import { Worker } from 'node:worker_threads';
import { RuntimeError } from '../../core/errors.ts';
import type { AppendResult, EventStore, StoredEvent, StoreNotice } from '../../core/events/store.ts';
import type { EventStoreOptions } from './events.ts';
import { pack } from './packed-batch.ts';
import { fromWire, type Reply, type Request, type StoreMethod } from './protocol.ts';

/**
 * Opens the event store in a thread of its own: fsync, flush and the reading of rows never hold up the event loop
 * that answers HTTP (docs/decisions/0004-event-thread.md).
 */
export async function openEventThread(options: EventStoreOptions, observer: ThreadObserver): Promise<EventStore> {
  const thread = new EventThread(options, observer);
  await thread.ready;
  return {
    append: (tenantId, events, visibleWithinMs) => thread.append(tenantId, events, visibleWithinMs),
    waitFor: (receipt, timeoutMs) => thread.call('waitFor', [receipt, timeoutMs]),
    settle: () => thread.call('settle', []),
    query: (tenantId, plan, signal) => thread.call('query', [tenantId, plan], signal),
    knownEvents: (tenantId, agentId) => thread.call('knownEvents', [tenantId, agentId]),
    knownProperties: (tenantId, agentId, names) => thread.call('knownProperties', [tenantId, agentId, names]),
    erase: (tenantId, erasure) => thread.call('erase', [tenantId, erasure]),
    expire: (tenantId, before) => thread.call('expire', [tenantId, before]),
    copyTo: (directory) => thread.call('copyTo', [directory]),
    stats: () => thread.call('stats', []),
    ping: () => thread.call('ping', []),
    close: () => thread.close(),
  };
}

export interface ThreadObserver {
  /** Something failed that no caller waits for. */
  onFault(error: Error): void;
  onNotice(notice: StoreNotice): void;
}

/**
 * Batches come and go quickly here: with the usual room for new objects the heap takes over 100 MB more under full load,
 * and nothing gets faster.
 */
const YOUNG_GENERATION_MB = 24;

/** Characters of events that may be on their way to the thread: beyond it memory would grow with the senders. */
const MAX_IN_FLIGHT = 64 * 1024 * 1024;

interface PendingCall {
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

class EventThread {
  readonly ready: Promise<void>;
  private readonly worker: Worker;
  private readonly pending = new Map<number, PendingCall>();
  private readonly exited: Promise<void>;
  private lastId = 0;
  private inFlight = 0;
  private opened = false;
  private stopped: Error | null = null;

  constructor(options: EventStoreOptions, { onFault, onNotice }: ThreadObserver) {
    const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
    this.worker = new Worker(new URL(`./thread-entry${extension}`, import.meta.url), {
      workerData: options,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    this.ready = new Promise((resolve, reject) => {
      this.worker.on('message', (reply: Reply) => {
        if ('ready' in reply) {
          this.opened = true;
          resolve();
        }
        if ('fault' in reply) onFault(fromWire(reply.fault));
        if ('notice' in reply) onNotice(reply.notice);
        if ('id' in reply) this.settle(reply);
      });
      this.worker.once('error', reject);
    });
    this.exited = new Promise((resolve) => {
      this.worker.once('error', (error) => {
        // Nothing accepted is lost: it is in the spool. Better to end here and be started again than to go on without.
        const opened = this.stopped === null && this.opened;
        this.stop(error as Error);
        if (opened) throw error;
      });
      this.worker.once('exit', () => {
        this.stop(new RuntimeError('unavailable', 'The server is stopping. Try again.', { retryAfter: 1 }));
        resolve();
      });
    });
  }

  call<Result>(method: StoreMethod, args: unknown[], signal?: AbortSignal): Promise<Result> {
    if (this.stopped) return Promise.reject(this.stopped);
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++this.lastId;
    const abort = () => this.send({ id, method: 'abort' });
    signal?.addEventListener('abort', abort, { once: true });
    return new Promise<Result>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      this.send({ id, method, args });
    }).finally(() => signal?.removeEventListener('abort', abort));
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
      return await this.call('appendPacked', [batch]);
    } finally {
      this.inFlight -= size;
    }
  }

  async close(): Promise<void> {
    if (!this.stopped) await this.call('close', []);
    await this.exited;
  }

  private send(request: Request): void {
    this.worker.postMessage(request);
  }

  private settle(reply: Extract<Reply, { id: number }>): void {
    const call = this.pending.get(reply.id);
    this.pending.delete(reply.id);
    if ('error' in reply) call?.reject(fromWire(reply.error));
    else call?.resolve(reply.value as never);
  }

  private stop(error: Error): void {
    this.stopped ??= error;
    for (const call of this.pending.values()) call.reject(this.stopped);
    this.pending.clear();
  }
}
