import { type Attempt, tooManyFailures } from './attempts.ts';
import { RecentFailures } from './failures.ts';

const FREE_FAILURES = 20;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

interface SlowedAttempt extends Attempt {
  wait: number;
}

/** Exponential backoff. Never a lock, because many users may share an address. */
export class AddressSlowdown {
  private readonly elapsed: () => number;
  private readonly failures = new RecentFailures();
  private readonly nextAt = new Map<string, number>();

  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** Throws `rate_limited` for a wait of more than ten seconds. */
  attempt(address: string): SlowedAttempt {
    const now = this.elapsed();
    const at = Math.max(now, this.nextAt.get(address) ?? now);
    if (at - now > LONGEST_WAIT_MS) throw tooManyFailures(at - now);
    const delay = delayAfter(this.failures.count(address, now));
    if (delay > 0) this.reserve(address, at + delay, now);
    this.failures.add(address, now);
    return { wait: at - now, undo: () => this.failures.undo(address, now) };
  }

  private reserve(address: string, until: number, now: number): void {
    for (const [one, at] of this.nextAt) if (at <= now) this.nextAt.delete(one);
    this.nextAt.set(address, until);
  }
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}
