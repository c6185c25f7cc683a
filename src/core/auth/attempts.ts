import { RuntimeError } from '../shared/errors.ts';
import { RecentFailures } from './failures.ts';

/** Counts as a failure from its start, so that parallel attempts cannot exceed the limit. */
export interface Attempt {
  undo(): void;
}

/** Name of the account's counters, and the prefix by which `unlock` finds them. */
export function accountOf(tenant: string | null, email: string): string {
  return `${tenant ?? ''} ${email.toLowerCase()}\n`;
}

/** In fifteen minutes. */
const MAX_FAILURES = { accountAndAddress: 10, account: 100, device: 10, code: 5 };
/** Of a million codes three are right at a time: even a year of guessing at this rate finds one in thirty users. */
const MAX_CODES_PER_DAY = 30;
const DAY_MS = 86_400_000;

/** Others cannot lock out a known device, which has its own counter (OWASP: "device cookies"). */
export class LoginAttempts {
  private readonly elapsed: () => number;
  private readonly byAccountAndAddress = new RecentFailures();
  private readonly byAccount = new RecentFailures();
  private readonly byDevice = new RecentFailures();
  private readonly byCode = new RecentFailures();
  private readonly byCodeOfDay = new RecentFailures(DAY_MS);

  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** Throws `rate_limited`. Failures of `alsoOf` count towards the limit, too. */
  fromAddress(account: string, address: string, alsoOf: string[] = []): Attempt {
    const now = this.elapsed();
    const accounts = [account, ...alsoOf];
    const both = accounts.map((one) => `${one}${address}`);
    const wait = Math.max(
      this.byAccountAndAddress.waitFor(both, MAX_FAILURES.accountAndAddress, now),
      this.byAccount.waitFor(accounts, MAX_FAILURES.account, now),
    );
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byAccountAndAddress, `${account}${address}`], [this.byAccount, account]);
  }

  note(account: string, address: string): void {
    try {
      this.fromAddress(account, address);
    } catch {
      // Locked already.
    }
  }

  /** For a known device, or within a session. Throws `rate_limited`. */
  fromDevice(account: string, device: string): Attempt {
    const now = this.elapsed();
    const name = `${account}${device}`;
    const wait = this.byDevice.waitFor([name], MAX_FAILURES.device, now);
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byDevice, name]);
  }

  /** A code of an authenticator app, from wherever it comes. Throws `rate_limited`. */
  ofCode(account: string): Attempt {
    const now = this.elapsed();
    const wait = Math.max(
      this.byCode.waitFor([account], MAX_FAILURES.code, now),
      this.byCodeOfDay.waitFor([account], MAX_CODES_PER_DAY, now),
    );
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byCode, account], [this.byCodeOfDay, account]);
  }

  /** Returns the number of failures. */
  unlock(account: string): number {
    const now = this.elapsed();
    for (const failures of [this.byAccountAndAddress, this.byCode]) failures.forget(account, now);
    const codes = this.byCodeOfDay.forget(account, now);
    return codes + this.byAccount.forget(account, now) + this.byDevice.forget(account, now);
  }
}

function countedIn(now: number, ...counters: [RecentFailures, string][]): Attempt {
  for (const [failures, name] of counters) failures.add(name, now);
  let counts = true;
  return {
    undo: () => {
      if (!counts) return;
      counts = false;
      for (const [failures, name] of counters) failures.undo(name, now);
    },
  };
}

/** `wait` in milliseconds. */
export function tooManyFailures(wait: number): RuntimeError {
  const retryAfter = Math.ceil(wait / 1_000);
  return new RuntimeError('rate_limited', `Too many failed logins. Try again in ${retryAfter} s.`, { retryAfter });
}
