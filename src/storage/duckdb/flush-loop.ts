import { setTimeout as sleep } from 'node:timers/promises';
import { RuntimeError } from '../../core/errors.ts';
import type { Flusher } from './flusher.ts';
import type { StoreObserver } from './observer.ts';
import type { Spool } from './spool.ts';

/** Arrivals become visible within this time, plus what the flush itself takes. */
const FLUSH_INTERVAL_MS = 200;
const RETRY_MS = 1_000;
/** A flush that has failed for so long needs somebody to look. */
const FAILING_MS = 5_000;

interface Waiter {
  position: number;
  settle: (visible: boolean) => void;
}

/** Decides when to flush, tries again what failed, and tells who waits what has become visible. */
export class FlushLoop {
  private readonly flusher: Flusher;
  private readonly spool: Spool;
  private readonly observer: StoreObserver;
  private readonly onFlushed: (events: number) => void;
  private waiters: Waiter[] = [];
  private visible: number;
  private wanted = 0;
  private running: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private closed = false;
  /** Since when flushing fails; null while it works. */
  failingSince: number | null = null;

  constructor(
    parts: { flusher: Flusher; spool: Spool; visible: number; onFlushed: (events: number) => void },
    observer: StoreObserver,
  ) {
    this.flusher = parts.flusher;
    this.spool = parts.spool;
    this.visible = parts.visible;
    this.onFlushed = parts.onFlushed;
    this.observer = observer;
  }

  /** Batches up to this position have been appended. */
  appended(position: number): void {
    this.wanted = Math.max(this.wanted, position);
    this.schedule(FLUSH_INTERVAL_MS);
  }

  /** Resolves once the position is visible, false when that takes too long. */
  async waitFor(position: number, timeoutMs: number): Promise<boolean> {
    if (position <= this.visible) return true;
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeoutMs);
      const settle = (visible: boolean) => {
        clearTimeout(timer);
        this.waiters = this.waiters.filter((waiter) => waiter.settle !== settle);
        resolve(visible);
      };
      this.waiters.push({ position, settle });
      this.schedule(0);
    });
  }

  /** Makes everything appended so far visible. Rejects when that fails. */
  async flushAll(): Promise<void> {
    const position = this.wanted;
    while (this.visible < position) await this.flush();
  }

  /** A flush that fails loses nothing: its batches stay in the spool, and it is tried again. */
  async tryFlush(): Promise<void> {
    try {
      await this.flush();
      this.failingSince = null;
    } catch (error) {
      this.failingSince ??= Date.now();
      this.observer.onFault(error);
      this.schedule(RETRY_MS);
    }
  }

  assertWorking(): void {
    if (this.failingSince === null || Date.now() - this.failingSince <= FAILING_MS) return;
    throw new RuntimeError('unavailable', 'Events are stored, but have not become visible for a while. See the log.', {
      retryAfter: 5,
    });
  }

  /** What cannot be flushed now stays in the spool, durable, for the next start. */
  async close(): Promise<void> {
    this.closed = true;
    if (this.timer) clearTimeout(this.timer);
    await this.flush().catch((error: unknown) => this.observer.onFault(error));
    for (const waiter of this.waiters) waiter.settle(false);
  }

  private schedule(delayMs: number): void {
    if (this.closed || this.visible >= this.wanted) return;
    if (this.timer) {
      if (delayMs > 0) return;
      clearTimeout(this.timer);
    }
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.tryFlush();
    }, delayMs);
  }

  /** Moves everything spooled so far into the tables. Calls at the same time share one run. */
  private flush(): Promise<void> {
    this.running ??= this.drain().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    for (;;) {
      const flushed = await this.flusher.flushAfter(this.visible);
      if (flushed === null) return;
      this.visible = flushed.position;
      this.spool.discardThrough(flushed.position);
      this.spool.release(flushed.backlog);
      this.onFlushed(flushed.events);
      this.observer.onNotice({
        kind: 'flushed',
        events: flushed.events,
        ms: flushed.ms,
        freshnessMs: Date.now() - flushed.oldestArrival,
      });
      for (const waiter of this.waiters) if (waiter.position <= this.visible) waiter.settle(true);
      // Appends and queries have their turn.
      await sleep(0);
    }
  }
}
