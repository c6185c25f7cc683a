import { RuntimeError } from '../shared/errors.ts';
import { PeriodicTask, type Timers } from './timers.ts';

/** An engine allocates some 10 MB in that time. */
const SAMPLE_MS = 50;
/** Work that is under way needs the rest. */
const USABLE_SHARE = 0.85;
const RETRY_AFTER = 2;

export interface GuardedMemory {
  bytes: number;
  /** Nothing but the machine if it is null, which is not guarded. */
  limitedBy: string | null;
  used(): number;
}

/** Backpressure by what the process holds: near its limit it takes no work that needs more. */
export class MemoryGuard {
  private readonly memory: GuardedMemory;
  private readonly sampling: PeriodicTask | null;
  private exhausted = false;
  private readonly collect: () => void;

  /** `collect` gives back what is not used any more. */
  constructor(memory: GuardedMemory, collect: () => void = () => undefined, timers?: Timers) {
    this.memory = memory;
    this.collect = collect;
    const run = () => this.sample();
    this.sampling = memory.limitedBy === null ? null : new PeriodicTask({ everyMs: SAMPLE_MS, run, timers });
  }

  get isExhausted(): boolean {
    return this.exhausted;
  }

  /** Throws `unavailable`. */
  assertRoom(): void {
    if (!this.exhausted) return;
    const message = 'The server has no memory for this at the moment; nothing was done. Try again.';
    throw new RuntimeError('unavailable', message, { retryAfter: RETRY_AFTER });
  }

  async close(): Promise<void> {
    await this.sampling?.close();
  }

  private sample(): void {
    const isNear = this.memory.used() > this.memory.bytes * USABLE_SHARE;
    if (isNear && !this.exhausted) this.collect();
    this.exhausted = isNear;
  }
}
