import type { Failures } from '../../limits/rates/failures.ts';
import { keepRecent, type LoginAttempt, tooManyFailures, undoable } from './attempts.ts';

const WINDOW_MS = 15 * 60_000;
const FREE_FAILURES = 20;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5_000;
const LONGEST_WAIT_MS = 10_000;

interface SlowedAttempt extends LoginAttempt {
  wait: number;
}

/** Exponential backoff. Never a lock, because many users may share an address. */
export class AddressSlowdown {
  private readonly failures: Failures;

  constructor(failures: Failures) {
    this.failures = failures;
  }

  /** Throws `rate_limited` for a wait of more than ten seconds. */
  async attempt(address: string): Promise<SlowedAttempt> {
    const failed = { counter: 'address', account: address, of: '' };
    // Of times to come, the one from which the next attempt may go on.
    const reserved = { counter: 'next of address', account: address, of: '' };
    const { now, wait } = await this.failures.change([failed, reserved], ([failures = [], next = []], now) => {
      keepRecent(failures, WINDOW_MS, now);
      const at = Math.max(now, ...next);
      if (at - now > LONGEST_WAIT_MS) throw tooManyFailures(at - now);
      const delay = delayAfter(failures.length);
      next.splice(0, next.length, ...(delay > 0 ? [at + delay] : next.filter((one) => one > now)));
      failures.push(now);
      return { now, wait: at - now };
    });
    return { wait, undo: undoable(this.failures, [failed], now).undo };
  }
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failures - FREE_FAILURES));
}
