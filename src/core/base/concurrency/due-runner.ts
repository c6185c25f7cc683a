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
    /** The items due longest of each tenant. An item that `run` settles is not due any more. */
    due(now: number, query: DueQuery): Promise<Item[]>;
    nextDue(now: number): Promise<number | null>;
  };
  run(item: Item, signal: AbortSignal): Promise<void>;
  /**
   * Whether this process runs the items; others look for new ones as well. Without it always, and
   * no other process.
   */
  held?: (everyMs: number) => Promise<boolean>;
  /** Items at once. */
  concurrency: number;
  tenants: { isBlocked(tenantId: string): boolean };
  effects: { now(): number };
  timers?: Timers | undefined;
  /** Null for an error of all items. */
  onError(error: unknown, item: Item | null): void;
}

/** Due items that are read at a time. */
const MAX_READ = 100;
const AFTER_ERROR_MS = 15_000;
/** Other processes add items without waking this one, and may end. */
const LOOK_MS = 15_000;

/**
 * Runs what is due, fairly among tenants, and sleeps until the next is due. What a run does not
 * settle is tried again.
 */
export class DueRunner<Item extends DueItem> {
  private readonly parts: DueRunnerParts<Item>;
  private readonly loop: WakeLoop;
  private readonly turns: TenantTurns;
  /** By item. */
  private readonly running = new Map<string, { tenantId: string; done: Promise<void> }>();
  private readonly stopping = new AbortController();
  /** Ids of those that failed, until they are tried again. */
  private readonly putOff = new Set<string>();
  private readonly timers: Timers;

  constructor(parts: DueRunnerParts<Item>) {
    const { concurrency, timers = realTimers, onError } = parts;
    this.parts = parts;
    this.timers = timers;
    this.turns = new TenantTurns({ all: concurrency, ofTenant: concurrency });
    this.loop = new WakeLoop({ pass: () => this.pass(), timers, onError: (error) => onError(error, null) });
  }

  /** There may be something due, or due at another time. Starts the runner. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves once nothing is under way. */
  async settled(): Promise<void> {
    await this.loop.settled();
    while (this.running.size > 0) {
      await this.runsEnded();
      await this.loop.settled();
    }
  }

  /** Aborts what is under way; it is due at the next start. */
  async close(): Promise<void> {
    this.stopping.abort();
    await this.loop.close();
    await this.runsEnded();
  }

  private async pass(): Promise<number> {
    const { source, effects, held } = this.parts;
    const now = effects.now();
    if (held && !(await held(LOOK_MS))) return LOOK_MS;
    await this.startDue(now);
    const untilNext = ((await source.nextDue(now)) ?? Number.POSITIVE_INFINITY) - now;
    return held ? Math.min(untilNext, LOOK_MS) : untilNext;
  }

  private async runsEnded(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Gives the free slots to items that are due. */
  private async startDue(now: number): Promise<void> {
    const { source, tenants, concurrency } = this.parts;
    if (this.stopping.signal.aborted || this.running.size >= concurrency) return;
    const except = [...this.putOff, ...this.running.keys()];
    const due = await source.due(now, { limit: MAX_READ, ofTenant: concurrency, except });
    const ofTenants = Map.groupBy(due, ({ tenantId }) => tenantId);
    const ready = [...ofTenants.keys()].filter((tenantId) => !tenants.isBlocked(tenantId));
    const running = [...this.running.values()].map(({ tenantId }) => tenantId);
    for (const { tenantId, count } of this.turns.next(ready, running)) {
      for (const item of ofTenants.get(tenantId)!.slice(0, count)) {
        const done = this.run(item).finally(() => {
          this.running.delete(item.id);
          this.wake();
        });
        this.running.set(item.id, { tenantId, done });
      }
    }
  }

  private async run(item: Item): Promise<void> {
    const { signal } = this.stopping;
    try {
      await this.parts.run(item, signal);
    } catch (error) {
      if (!signal.aborted) this.putOffUntilLater(item, error);
    }
  }

  private putOffUntilLater(item: Item, error: unknown): void {
    this.parts.onError(error, item);
    this.putOff.add(item.id);
    this.timers.after(AFTER_ERROR_MS, () => {
      this.putOff.delete(item.id);
      this.wake();
    });
  }
}

export interface Turn {
  tenantId: string;
  /** Tasks that it may begin. */
  count: number;
}

export interface TurnLimits {
  /** Tasks at once. */
  all: number;
  ofTenant: number;
}

/**
 * Which tenants begin a task next: those with the fewest running tasks, then the least recently
 * served.
 */
export class TenantTurns {
  private readonly limits: TurnLimits;
  /** Least recently served first. */
  private readonly served = new Set<string>();

  constructor(limits: TurnLimits) {
    this.limits = limits;
  }

  /** `running` has one entry for each task: its tenant. */
  next(tenants: readonly string[], running: readonly string[]): Turn[] {
    const counts = new Map<string, number>();
    for (const tenantId of running) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
    const turns = new Map<string, number>();
    const order = this.inOrder(tenants);
    for (let free = this.limits.all - running.length; free > 0; free -= 1) {
      const [first] = order
        .filter((tenantId) => (counts.get(tenantId) ?? 0) < this.limits.ofTenant)
        .sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
      if (first === undefined) break;
      counts.set(first, (counts.get(first) ?? 0) + 1);
      turns.set(first, (turns.get(first) ?? 0) + 1);
    }
    for (const tenantId of turns.keys()) {
      this.served.delete(tenantId);
      this.served.add(tenantId);
    }
    return [...turns].map(([tenantId, count]) => ({ tenantId, count }));
  }

  /** Tenants that were never served come first. */
  private inOrder(tenants: readonly string[]): string[] {
    const known = new Set(tenants);
    for (const tenantId of this.served) if (!known.has(tenantId)) this.served.delete(tenantId);
    const unserved = tenants.filter((tenantId) => !this.served.has(tenantId));
    return [...unserved, ...this.served];
  }
}
