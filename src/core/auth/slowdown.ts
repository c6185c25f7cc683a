import { type Attempt, tooManyFailures } from './attempts.ts';
import { RecentFailures } from './failures.ts';

/** Per address in fifteen minutes: an office behind one address has some failures. */
const FREE_FAILURES = 20;
const FIRST_DELAY_MS = 250;
/** Reached with the sixth failure beyond the free ones. */
const LONGEST_DELAY_MS = 5_000;
/** Attempts that would wait longer are refused. */
const LONGEST_WAIT_MS = 10_000;

/** An attempt that may start in `wait` milliseconds. */
export interface SlowedAttempt extends Attempt {
  wait: number;
}

/** Exponential backoff per address. Never a lock, because many users may share an address. */
export class AddressSlowdown {
  private readonly elapsed: () => number;
  private readonly failures = new RecentFailures();
  /** When the next attempt of an address may start, if later than now. */
  private readonly nextAt = new Map<string, number>();

  /** `elapsed`: milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** Throws `rate_limited` when the attempt would wait for more than ten seconds. */
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
