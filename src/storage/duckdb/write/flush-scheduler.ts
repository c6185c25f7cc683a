import { setTimeout as sleep } from 'node:timers/promises';
import { Alarm } from '../../../core/shared/alarm.ts';
import { RuntimeError } from '../../../core/shared/errors.ts';
import { needsReopening } from '../faults.ts';
import type { StoreObserver } from '../observer.ts';
import type { Flushed, Flusher } from './flusher.ts';
import type { Backlog, Spool } from './spool.ts';

/** Arrivals that nobody says may wait become visible within this time, plus what the flush itself takes. */
export const SOON_MS = 200;
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
  private readonly recover: () => Promise<void>;
  private waiters: Waiter[] = [];
  private visible: number;
  private wanted: number;
  /** What is visible and still in the spool. */
  private undiscarded: Backlog = { batches: 0, bytes: 0 };
  private running: Promise<void> | null = null;
  private readonly alarm = new Alarm(() => void this.tryFlush());
  /** When what no flush has begun to move must be moved. */
  private due = Number.POSITIVE_INFINITY;
  private closed = false;
  /** The tables must be opened anew. */
  private unusable = false;
  /** Since when flushing fails; null while it works. */
  failingSince: number | null = null;

  constructor(
    parts: {
      flusher: Flusher;
      spool: Spool;
      visible: number;
      onFlushed: (events: number) => void;
      /** Makes the tables usable again after an error that left them unusable. */
      recover: () => Promise<void>;
    },
    observer: StoreObserver,
  ) {
    this.flusher = parts.flusher;
    this.spool = parts.spool;
    this.visible = parts.visible;
    this.wanted = parts.spool.lastPosition();
    this.recover = parts.recover;
    this.onFlushed = parts.onFlushed;
    this.observer = observer;
  }

  get visiblePosition(): number {
    return this.visible;
  }

  /** Batches up to this position have been appended, to be moved within so many milliseconds. */
  appended(position: number, withinMs: number): void {
    this.wanted = Math.max(this.wanted, position);
    this.moveWithin(this.failingSince === null ? withinMs : RETRY_MS);
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
      this.moveWithin(0);
    });
  }

  /** Makes everything appended so far visible; `unavailable` when that fails. */
  async flushAll(): Promise<void> {
    const position = this.wanted;
    while (this.visible < position) {
      await this.tryFlush();
      if (this.visible >= position || this.failingSince === null) continue;
      throw new RuntimeError(
        'unavailable',
        'What was accepted cannot be moved to the tables at the moment. Try again.',
        {
          retryAfter: 5,
        },
      );
    }
  }

  /** A flush that fails loses nothing: its batches stay in the spool, and it is tried again. */
  async tryFlush(): Promise<void> {
    try {
      if (this.unusable) await this.recover();
      this.unusable = false;
      await this.flush();
      // What came meanwhile is due already when the flush was long, and flushes without a pause would be many and small.
      const pauseMs = this.waiters.length > 0 ? 0 : SOON_MS;
      this.schedule(Math.max(pauseMs, this.due - performance.now()));
    } catch (error) {
      this.failingSince ??= Date.now();
      this.unusable ||= needsReopening(error);
      this.observer.onFault(error);
      this.schedule(RETRY_MS);
    }
  }

  /** Somebody who reads may have found the tables unusable. */
  noticeFault(error: unknown): void {
    if (this.unusable || !needsReopening(error)) return;
    this.unusable = true;
    this.failingSince ??= Date.now();
    this.schedule(0);
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
    this.alarm.cancel();
    await this.flush().catch((error: unknown) => this.observer.onFault(error));
    for (const waiter of this.waiters) waiter.settle(false);
  }

  /** Also where a flush is under way that began before. */
  private moveWithin(ms: number): void {
    this.due = Math.min(this.due, performance.now() + ms);
    this.schedule(ms);
  }

  private schedule(delayMs: number): void {
    if (this.closed || (this.visible >= this.wanted && this.failingSince === null)) return;
    this.alarm.set(delayMs);
  }

  /** Moves everything spooled so far into the tables. Calls at the same time share one run. */
  private flush(): Promise<void> {
    this.running ??= this.drain().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    // What comes meanwhile has its own flush: under steady load this one would never end.
    const through = this.wanted;
    this.due = Number.POSITIVE_INFINITY;
    this.discard();
    while (this.visible < through) {
      const flushed = await this.flusher.flushAfter(this.visible);
      this.visible = flushed?.position ?? through;
      if (flushed) this.report(flushed);
      for (const waiter of this.waiters) if (waiter.position <= this.visible) waiter.settle(true);
      this.discard();
      this.failingSince = null;
      // Appends and queries have their turn.
      await sleep(0);
    }
    this.failingSince = null;
  }

  private report({ events, ms, oldestArrival, backlog }: Flushed): void {
    this.onFlushed(events);
    this.observer.onNotice({ kind: 'flushed', events, ms, freshnessMs: Date.now() - oldestArrival });
    const { batches, bytes } = this.undiscarded;
    this.undiscarded = { batches: batches + backlog.batches, bytes: bytes + backlog.bytes };
  }

  /** Takes out of the spool what is in the tables. Where that fails it is tried again: nothing comes twice meanwhile. */
  private discard(): void {
    if (this.undiscarded.batches === 0) return;
    this.spool.discardThrough(this.visible);
    this.spool.release(this.undiscarded);
    this.undiscarded = { batches: 0, bytes: 0 };
  }
}
