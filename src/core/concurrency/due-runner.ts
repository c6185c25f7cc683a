import { Limiter } from './limiter.ts';
import { realTimers, type Timers } from './timers.ts';
import { WakeLoop } from './wake-loop.ts';

export interface DueQuery {
  limit: number;
  /** At most so many of each tenant. */
  ofTenant: number;
  /** Ids of those that are left out. */
  except: readonly string[];
}

interface DueItem {
  id: string;
  tenantId: string;
}

export interface DueRunnerParts<Item extends DueItem> {
  source: {
    /** Those due longest of each tenant. An item that `run` settles is not due any more. */
    due(now: number, query: DueQuery): Promise<Item[]>;
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
export class DueRunner<Item extends DueItem> {
  private readonly parts: DueRunnerParts<Item>;
  private readonly loop: WakeLoop;
  private readonly limiter: Limiter;
  private readonly stopping = new AbortController();
  /** Ids of those that failed, until they are tried again. */
  private readonly putOff = new Set<string>();
  private readonly timers: Timers;

  constructor(parts: DueRunnerParts<Item>) {
    const { concurrency, timers = realTimers, onError } = parts;
    this.parts = parts;
    this.timers = timers;
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
    const { source, tenants, effects, concurrency } = this.parts;
    while (!this.loop.isClosed) {
      // At most `concurrency` items of each tenant, so that one tenant's slow items do not delay the others.
      const query = { limit: AT_ONCE, ofTenant: concurrency, except: [...this.putOff] };
      const due = await source.due(effects.now(), query);
      const items = due.filter(({ tenantId }) => !tenants.isBlocked(tenantId));
      if (items.length === 0) break;
      await Promise.all(items.map((item) => this.limiter.run(() => this.run(item))));
    }
    const now = effects.now();
    return ((await source.nextDue(now)) ?? Number.POSITIVE_INFINITY) - now;
  }

  private async run(item: Item): Promise<void> {
    const { signal } = this.stopping;
    if (signal.aborted) return;
    try {
      await this.parts.run(item, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.parts.onError(error, item);
      this.putOff.add(item.id);
      this.timers.after(AFTER_ERROR_MS, () => {
        this.putOff.delete(item.id);
        this.wake();
      });
    }
  }
}
