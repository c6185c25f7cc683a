import { randomUUID } from 'node:crypto';
import { PeriodicTask } from '../../../../core/base/concurrency/timers.ts';
import { endLease, takeLease } from '../../../state/postgres/leases.ts';
import type { PostgresPool } from '../../../state/postgres/pool.ts';
import type { ClickhouseObserver } from '../observer.ts';
import { FLUSH_LEASE, type Flushed, type Flusher, LeaseLost } from './flusher.ts';
import type { Receipts } from './receipts.ts';
import type { Remover } from './removals.ts';

interface LoopParts {
  pool: PostgresPool;
  flusher: Flusher;
  remover: Remover;
  receipts: Receipts;
  /** Before the first flush; repeated until it succeeds. */
  prepare: () => Promise<void>;
}

/**
 * After so long without a sign of its holder, another node flushes: soon enough for those who wait
 * five seconds for a receipt.
 */
export const FLUSH_LEASE_MS = 3_000;
/**
 * Between two flushes that nobody waits for: each insert makes a part that the engine must merge.
 */
const PAUSE_MS = 200;
/** How often the holder of the lease looks for what other nodes accepted. */
const POLL_MS = 50;
const OTHERS_POLL_MS = 500;
/** A flush that takes so many leases does not answer: another node may go on with it. */
const STUCK_LEASES = 10;
const RETRY_MS = 1_000;
/** How long a node tries before it ends. */
const CLOSE_MS = 10_000;

/** The loop of each node: only the holder of the lease flushes and removes. */
export class FlushLoop {
  private readonly parts: LoopParts;
  private readonly observer: ClickhouseObserver;
  private readonly leaseMs: number;
  private readonly holder = randomUUID();
  private readonly first = Promise.withResolvers<void>();
  private readonly ended: Promise<void>;
  private wakeUp: () => void = () => undefined;
  private isWoken = false;
  private fence: number | null = null;
  private isPrepared = false;
  private removing: Promise<void> | null = null;
  private turnedAt = 0;
  private closed = false;
  /** Epoch milliseconds. */
  failingSince: number | null = null;

  constructor(parts: LoopParts, observer: ClickhouseObserver, leaseMs = FLUSH_LEASE_MS) {
    this.parts = parts;
    this.observer = observer;
    this.leaseMs = leaseMs;
    this.ended = this.run();
  }

  /** Resolves after the first attempt. */
  get started(): Promise<void> {
    return this.first.promise;
  }

  get hasLease(): boolean {
    return this.fence !== null;
  }

  /** Something was appended here, or is waited for. */
  wake(): void {
    this.isWoken = true;
    this.wakeUp();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.wake();
    await this.ended;
  }

  /** Resolves when nothing is removed any more; the connections may be closed before. */
  async removalsEnded(): Promise<void> {
    await this.removing;
  }

  private async run(): Promise<void> {
    const renewing = new PeriodicTask({ everyMs: this.leaseMs / 3, run: () => this.renew() });
    while (!this.closed) {
      const waitMs = await this.turn();
      this.first.resolve();
      if (!this.closed && waitMs > 0) await this.sleep(waitMs);
    }
    await this.finish();
    void renewing.close();
  }

  /** Returns how long to wait for the next. */
  private async turn(): Promise<number> {
    this.turnedAt = performance.now();
    try {
      this.fence ??= await this.take();
      if (this.fence === null) {
        this.failingSince = null;
        return OTHERS_POLL_MS;
      }
      const work = await this.work(this.fence);
      this.failingSince = null;
      if (work === 'more') return 0;
      return work === 'some' && !this.parts.receipts.isAwaited ? PAUSE_MS : POLL_MS;
    } catch (error) {
      this.fence = null;
      if (error instanceof LeaseLost) return OTHERS_POLL_MS;
      this.failingSince ??= Date.now();
      this.observer.onFault(error);
      return RETRY_MS;
    }
  }

  private async work(fence: number): Promise<'none' | 'some' | 'more'> {
    if (!this.isPrepared) await this.parts.prepare();
    this.isPrepared = true;
    const found = await this.find();
    const flushed = found.events ? await this.flushOnce(fence) : null;
    if (found.removals) this.removing ??= this.remove(fence);
    return flushed === null ? 'none' : flushed.isFull ? 'more' : 'some';
  }

  /** Beside the next flushes. A failure stops none of them. */
  private async remove(fence: number): Promise<void> {
    try {
      while (!this.closed && (await this.parts.remover.run(fence)));
    } catch (error) {
      if (!this.closed && !(error instanceof LeaseLost)) this.observer.onFault(error);
      await new Promise((next) => setTimeout(next, this.closed ? 0 : RETRY_MS));
    } finally {
      this.removing = null;
    }
  }

  /** One statement without a lock: an idle node writes nothing. */
  private async find(): Promise<{ events: number; removals: number }> {
    const { rows } = await this.parts.pool.query<{ events: number; removals: number }>(
      `SELECT (EXISTS (SELECT FROM event_spool) OR EXISTS (SELECT FROM event_flushes))::int AS events,
        (EXISTS (SELECT FROM event_removals WHERE done_at IS NULL))::int AS removals`,
    );
    return rows[0]!;
  }

  private async flushOnce(fence: number): Promise<Flushed | null> {
    const started = performance.now();
    const flushed = await this.parts.flusher.flush(fence);
    if (flushed === null) return null;
    const { events, freshnessMs } = flushed;
    this.observer.onNotice({ kind: 'flushed', events, ms: performance.now() - started, freshnessMs });
    return flushed;
  }

  private async take(): Promise<number | null> {
    const lease = await takeLease(this.parts.pool, FLUSH_LEASE, { holder: this.holder, ms: this.leaseMs });
    return lease?.fence ?? null;
  }

  private async renew(): Promise<void> {
    // A flush may have to wait for a removal.
    if (this.parts.flusher.isBetweenFlushes) this.turnedAt = performance.now();
    const isStuck = performance.now() - this.turnedAt > STUCK_LEASES * this.leaseMs;
    if (this.fence === null || isStuck) return;
    // A failure shows in the next transaction, which asks for the lease.
    await this.take().catch(() => undefined);
  }

  private async sleep(ms: number): Promise<void> {
    // While failing or without the lease, more appends change nothing.
    const canWake = this.fence !== null;
    if (canWake && this.isWoken && this.parts.receipts.isAwaited) {
      this.isWoken = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.wakeUp = () => {
        if (!this.closed && !(canWake && this.parts.receipts.isAwaited)) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.isWoken = false;
    this.wakeUp = () => undefined;
  }

  /** Makes visible what waits, if no other node does. */
  private async finish(): Promise<void> {
    const deadline = performance.now() + CLOSE_MS;
    try {
      this.fence ??= await this.take();
      while (this.fence !== null && performance.now() < deadline && (await this.flushOnce(this.fence)) !== null);
      await endLease(this.parts.pool, FLUSH_LEASE, this.holder);
    } catch (error) {
      if (!(error instanceof LeaseLost)) this.observer.onFault(error);
    }
  }
}
