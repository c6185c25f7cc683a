import { setTimeout as sleep } from 'node:timers/promises';
import { EVENTS_LATE_AFTER_MS } from '../../../../core/analytics/events/store.ts';
import { Alarm } from '../../../../core/base/concurrency/timers.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import { Waiters } from '../../shared/receipts.ts';
import { needsReopening } from '../faults.ts';
import type { DuckdbObserver } from '../observer.ts';
import type { Flushed, Flusher } from './flusher.ts';
import type { Backlog, Spool } from './spool.ts';

/** Events become visible after this delay, unless the caller allows a longer one. */
export const DEFAULT_DELAY_MS = 200;
const RETRY_MS = 1_000;
const FAILING_MS = 5_000;

interface FlushParts {
  flusher: Flusher;
  spool: Spool;
  visible: number;
  onFlushed: (events: number) => void;
  reopen: () => Promise<void>;
  lateMs?: number | undefined;
}

const NOTHING: Backlog = { batches: 0, bytes: 0 };

export class FlushScheduler {
  private readonly parts: FlushParts;
  private readonly observer: DuckdbObserver;
  private readonly waiters = new Waiters();
  private visible: number;
  private appendedThrough: number;
  /** Visible and still in the spool. */
  private undiscarded = NOTHING;
  private keepsFlushed = false;
  private running: Promise<void> | null = null;
  private readonly alarm = new Alarm(() => void this.tryFlush());
  /** When batches that no running flush includes are due, on the monotonic clock. */
  private due = Number.POSITIVE_INFINITY;
  /** When the batches of the running flush, or of the one that failed, are due. */
  private runningDue = Number.POSITIVE_INFINITY;
  private closed = false;
  private mustReopen = false;
  /** Epoch milliseconds. */
  failingSince: number | null = null;

  constructor(parts: FlushParts, observer: DuckdbObserver) {
    this.parts = parts;
    this.observer = observer;
    this.visible = parts.visible;
    this.appendedThrough = parts.spool.lastPosition();
  }

  /** Everything is in the tables and nothing of it in the spool. */
  get isAtRest(): boolean {
    const isFlushed = this.visible >= this.appendedThrough && this.undiscarded.batches === 0;
    return isFlushed && this.running === null && this.failingSince === null;
  }

  get visiblePosition(): number {
    return this.visible;
  }

  /**
   * When the oldest event arrived that should be visible and is not; null in good times, which
   * costs nothing.
   */
  get lateSince(): number | null {
    if (this.visible >= this.appendedThrough) return null;
    const due = Math.min(this.due, this.runningDue);
    const { lateMs = EVENTS_LATE_AFTER_MS } = this.parts;
    if (performance.now() - due <= lateMs) return null;
    return this.parts.spool.arrivalAfter(this.visible);
  }

  appended(position: number, withinMs: number): void {
    this.appendedThrough = Math.max(this.appendedThrough, position);
    this.flushWithin(this.failingSince === null ? withinMs : RETRY_MS);
  }

  async waitFor(position: number, timeoutMs: number): Promise<boolean> {
    if (position <= this.visible) return true;
    const visible = this.waiters.wait(position, timeoutMs);
    this.flushWithin(0);
    return visible;
  }

  async flushAll(): Promise<void> {
    const position = this.appendedThrough;
    while (this.visible < position) {
      await this.tryFlush();
      if (this.visible >= position || this.failingSince === null) continue;
      throw new RuntimeError('unavailable', 'Accepted events cannot be moved to the tables at the moment. Try again.', {
        retryAfter: 5,
      });
    }
  }

  /** A failed flush loses nothing: the spool keeps its batches for a retry. */
  async tryFlush(): Promise<void> {
    try {
      if (this.mustReopen) await this.parts.reopen();
      this.mustReopen = false;
      await this.flush();
      // The pause prevents many small flushes.
      const pauseMs = this.waiters.isEmpty ? DEFAULT_DELAY_MS : 0;
      this.schedule(Math.max(pauseMs, this.due - performance.now()));
    } catch (error) {
      this.failingSince ??= Date.now();
      this.mustReopen ||= needsReopening(error);
      this.observer.onFault(error);
      this.schedule(RETRY_MS);
    }
  }

  noticeFault(error: unknown): void {
    if (this.mustReopen || !needsReopening(error)) return;
    this.mustReopen = true;
    this.failingSince ??= Date.now();
    this.schedule(0);
  }

  /**
   * Keeps what is flushed from now on in the spool. Returns the position of what is visible. The
   * caller excludes flushes.
   */
  keepFlushed(): number {
    this.keepsFlushed = true;
    return this.visible;
  }

  discardFlushed(): Promise<void> {
    this.keepsFlushed = false;
    return this.discard();
  }

  /** For other tables, which have the events through the position. The caller excludes flushes. */
  flushAgainAfter(position: number): void {
    this.visible = position;
    this.due = performance.now();
    this.keepsFlushed = false;
    this.undiscarded = NOTHING;
    this.parts.spool.discardEarlier(position).catch((error: unknown) => this.observer.onFault(error));
  }

  assertWorking(): void {
    if (this.failingSince === null || Date.now() - this.failingSince <= FAILING_MS) return;
    throw new RuntimeError('unavailable', 'Events are stored, but have not become visible for a while. See the log.', {
      retryAfter: 5,
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.alarm.cancel();
    await this.flush().catch((error: unknown) => this.observer.onFault(error));
    this.waiters.giveUp();
  }

  private flushWithin(ms: number): void {
    this.due = Math.min(this.due, performance.now() + ms);
    this.schedule(ms);
  }

  private schedule(delayMs: number): void {
    if (this.closed || (this.visible >= this.appendedThrough && this.failingSince === null)) return;
    this.alarm.set(delayMs);
  }

  /** Single-flight: concurrent calls share one run. */
  private flush(): Promise<void> {
    this.running ??= this.drain().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async drain(): Promise<void> {
    // Later batches wait: under steady load this flush would never end.
    const through = this.appendedThrough;
    this.runningDue = Math.min(this.runningDue, this.due);
    this.due = Number.POSITIVE_INFINITY;
    await this.discard();
    while (this.visible < through) {
      await this.parts.flusher.flushAfter(
        () => this.visible,
        (flushed) => {
          this.visible = flushed?.position ?? through;
          if (flushed) this.report(flushed);
        },
      );
      for (const { position, settle } of this.waiters.all()) if (position <= this.visible) settle(true);
      await this.discard();
      this.failingSince = null;
      // Lets appends and queries run.
      await sleep(0);
    }
    this.failingSince = null;
    this.runningDue = Number.POSITIVE_INFINITY;
  }

  private report({ events, ms, oldestArrival, backlog }: Flushed): void {
    this.parts.onFlushed(events);
    this.observer.onNotice({ kind: 'flushed', events, ms, freshnessMs: Date.now() - oldestArrival });
    this.undiscarded = sum(this.undiscarded, backlog);
  }

  /** Retried after an error; the flush position prevents duplicates. */
  private async discard(): Promise<void> {
    const discarded = this.undiscarded;
    if (discarded.batches === 0 || this.keepsFlushed) return;
    this.undiscarded = NOTHING;
    try {
      await this.parts.spool.discardThrough(this.visible, discarded);
    } catch (error) {
      this.undiscarded = sum(discarded, this.undiscarded);
      throw error;
    }
  }
}

function sum(one: Backlog, other: Backlog): Backlog {
  return { batches: one.batches + other.batches, bytes: one.bytes + other.bytes };
}
