import { RuntimeError } from '../../base/shared/errors.ts';
import type { FailureName, Failures, Times } from '../../limits/rates/failures.ts';

/** Counts as a failure from its start, so that parallel attempts cannot exceed the limit. */
export interface LoginAttempt {
  /** Never rejects: an attempt that cannot be uncounted stays counted. */
  undo(): Promise<void>;
}

/** Name of the account's counters, and the prefix by which `unlock` finds them. */
export function accountOf(tenant: string | null, email: string): string {
  return `${tenant ?? ''} ${email.toLowerCase()}\n`;
}

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

interface Counter {
  counter: string;
  maximum: number;
  windowMs: number;
}

const BY_ACCOUNT_AND_ADDRESS: Counter = { counter: 'account and address', maximum: 10, windowMs: QUARTER_MS };
const BY_ACCOUNT: Counter = { counter: 'account', maximum: 100, windowMs: QUARTER_MS };
const BY_DEVICE: Counter = { counter: 'device', maximum: 10, windowMs: QUARTER_MS };
const BY_CODE: Counter = { counter: 'code', maximum: 5, windowMs: QUARTER_MS };
/**
 * Three of a million codes are right at a time: even a year of guessing at this rate finds one in
 * thirty users.
 */
const MAX_CODES_PER_DAY = 30;
const BY_CODE_OF_DAY: Counter = { counter: 'code of the day', maximum: MAX_CODES_PER_DAY, windowMs: DAY_MS };
const COUNTERS = [BY_ACCOUNT_AND_ADDRESS, BY_ACCOUNT, BY_DEVICE, BY_CODE, BY_CODE_OF_DAY];

/**
 * An attempt counts under the first name; failures of the others count towards the limit as well.
 */
interface Counted {
  counter: Counter;
  names: FailureName[];
}

/** Others cannot lock out a known device, which has its own counter (OWASP: "device cookies"). */
export class LoginAttempts {
  private readonly failures: Failures;

  constructor(failures: Failures) {
    this.failures = failures;
  }

  /** Throws `rate_limited`. Failures of `alsoOf` count towards the limit as well. */
  fromAddress(account: string, address: string, alsoOf: string[] = []): Promise<LoginAttempt> {
    const accounts = [account, ...alsoOf];
    return this.count(countedIn(BY_ACCOUNT_AND_ADDRESS, accounts, address), countedIn(BY_ACCOUNT, accounts));
  }

  async note(account: string, address: string): Promise<void> {
    await this.fromAddress(account, address).catch((error: unknown) => {
      const isLocked = error instanceof RuntimeError && error.code === 'rate_limited';
      if (!isLocked) throw error;
    });
  }

  /** For a known device, or within a session. Throws `rate_limited`. */
  fromDevice(account: string, device: string): Promise<LoginAttempt> {
    return this.count(countedIn(BY_DEVICE, [account], device));
  }

  /** A code of an authenticator app, from wherever it comes. Throws `rate_limited`. */
  ofCode(account: string): Promise<LoginAttempt> {
    return this.count(countedIn(BY_CODE, [account]), countedIn(BY_CODE_OF_DAY, [account]));
  }

  /** Returns the number of failures. */
  async unlock(account: string): Promise<number> {
    let unlocked = 0;
    for (const { counter, windowMs } of COUNTERS) {
      const { times, now } = await this.failures.forget(counter, account);
      // These counters count the same failures again.
      if (counter === BY_ACCOUNT_AND_ADDRESS.counter || counter === BY_CODE.counter) continue;
      unlocked += recent(times, windowMs, now).length;
    }
    return unlocked;
  }

  private async count(...counted: Counted[]): Promise<LoginAttempt> {
    const at = await this.failures.change(
      counted.flatMap(({ names }) => names),
      (lists, now) => {
        let next = 0;
        const added: Times[] = [];
        const waits = counted.map(({ counter, names }) => {
          const own = lists.slice(next, next + names.length);
          next += names.length;
          for (const times of own) keepRecent(times, counter.windowMs, now);
          added.push(own[0]!);
          return waitFor(own.flat(), counter, now);
        });
        const wait = Math.max(...waits);
        if (wait > 0) throw tooManyFailures(wait);
        for (const times of added) times.push(now);
        return now;
      },
    );
    return this.attemptAt(
      at,
      counted.map(({ names }) => names[0]!),
    );
  }

  private attemptAt(at: number, names: FailureName[]): LoginAttempt {
    return undoable(this.failures, names, at);
  }
}

export function undoable(failures: Failures, names: readonly FailureName[], at: number): LoginAttempt {
  let undone: Promise<void> | null = null;
  const undo = (lists: readonly Times[]) => {
    for (const times of lists) {
      const index = times.indexOf(at);
      if (index !== -1) times.splice(index, 1);
    }
  };
  return {
    undo: () => {
      undone ??= failures.change(names, undo).catch(() => undefined);
      return undone;
    },
  };
}

export function keepRecent(times: Times, windowMs: number, now: number): void {
  times.splice(0, times.length, ...recent(times, windowMs, now));
}

function recent(times: Times, windowMs: number, now: number): Times {
  return times.filter((at) => at > now - windowMs);
}

/** Milliseconds until fewer than the maximum are recent. */
function waitFor(times: Times, { maximum, windowMs }: Counter, now: number): number {
  const oldest = times.toSorted((one, other) => one - other)[times.length - maximum];
  return oldest === undefined ? 0 : oldest + windowMs - now;
}

function countedIn(counter: Counter, accounts: string[], of = ''): Counted {
  return { counter, names: accounts.map((account) => ({ counter: counter.counter, account, of })) };
}

/** `wait` in milliseconds. */
export function tooManyFailures(wait: number): RuntimeError {
  const retryAfter = Math.ceil(wait / 1_000);
  return new RuntimeError('rate_limited', `Too many failed logins. Try again in ${retryAfter} s.`, { retryAfter });
}

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
    // Holds the future time from which the next attempt may go on.
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
