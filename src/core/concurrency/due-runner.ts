import { Limiter } from './limiter.ts';
import type { Timers } from './timers.ts';
import { WakeLoop } from './wake-loop.ts';

export interface DueRunnerParts<Item extends { tenantId: string }> {
  source: {
    /** Tenants take turns. An item that `run` settles is not due any more. */
    due(now: number, limit: number): Promise<Item[]>;
    nextDue(now: number): Promise<number | null>;
  };
  run(item: Item, signal: AbortSignal): Promise<void>;
  /** Items at once. */
  concurrency: number;
  tenants: { isBlocked(tenantId: string): boolean };
  effects: { now(): number };
  timers?: Timers | undefined;
  /** Null: of all items. */
  onError(error: unknown, item: Item | null): void;
}

const AT_ONCE = 100;
const AFTER_ERROR_MS = 15_000;

/** Runs what is due, and sleeps until the next is. What a run does not settle is tried again. */
export class DueRunner<Item extends { tenantId: string }> {
  private readonly parts: DueRunnerParts<Item>;
  private readonly loop: WakeLoop;
  private readonly limiter: Limiter;
  private readonly stopping = new AbortController();

  constructor(parts: DueRunnerParts<Item>) {
    const { concurrency, timers, onError } = parts;
    this.parts = parts;
    this.limiter = new Limiter({ concurrency, maxQueue: AT_ONCE, rejection: '' });
    this.loop = new WakeLoop({ pass: () => this.pass(), timers, onError: (error) => onError(error, null) });
  }

  /** There may be something due, or due at another time. Starts the runner. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves once nothing is under way. */
  idle(): Promise<void> {
    return this.loop.idle();
  }

  /** Aborts what is under way; it is due at the next start. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.loop.close();
  }

  private async pass(): Promise<number> {
    const { source, tenants, effects } = this.parts;
    while (!this.loop.isClosed) {
      const due = await source.due(effects.now(), AT_ONCE);
      const items = due.filter(({ tenantId }) => !tenants.isBlocked(tenantId));
      if (items.length === 0) break;
      const outcomes = await Promise.all(items.map((item) => this.limiter.run(() => this.run(item))));
      if (outcomes.includes('failed')) return AFTER_ERROR_MS;
    }
    const now = effects.now();
    return ((await source.nextDue(now)) ?? Number.POSITIVE_INFINITY) - now;
  }

  private async run(item: Item): Promise<'done' | 'failed'> {
    const { signal } = this.stopping;
    if (signal.aborted) return 'failed';
    try {
      await this.parts.run(item, signal);
      return 'done';
    } catch (error) {
      if (!signal.aborted) this.parts.onError(error, item);
      return 'failed';
    }
  }
}
