import { RuntimeError } from '../shared/errors.ts';
import { RecentFailures } from './failures.ts';

/** An attempt to log in, counted as a failure until it is undone. */
export interface Attempt {
  /** Uncounts the attempt: the password was right, or was not compared. */
  undo(): void;
}

/** The counter name of an account: its tenant, if the login gave one, and its e-mail. */
export function accountOf(tenant: string | null, email: string): string {
  return `${tenant ?? ''} ${email.toLowerCase()}\n`;
}

/** In fifteen minutes. */
const MAX_FAILURES = { accountAndAddress: 10, account: 100, device: 10 };

/**
 * Counts attempts to log in, and locks accounts after too many failures. Attempts of unknown
 * clients count per account and address (10) and per account (100). Attempts with a device cookie
 * count per device (10), so that unknown clients cannot lock out a known device (OWASP: "device
 * cookies"). An attempt counts before its password is compared, so that parallel attempts cannot
 * pass the limit; a right password uncounts it.
 */
export class LoginAttempts {
  private readonly elapsed: () => number;
  private readonly byAccountAndAddress = new RecentFailures();
  private readonly byAccount = new RecentFailures();
  private readonly byDevice = new RecentFailures();

  /** `elapsed`: milliseconds of a monotonic clock. */
  constructor(elapsed: () => number) {
    this.elapsed = elapsed;
  }

  /** Throws `rate_limited`. Failures of the accounts `alsoOf` count towards the limit, too. */
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

  /** Counts an attempt at an unknown account, so that it is locked when existing ones are. */
  note(account: string, address: string): void {
    try {
      this.fromAddress(account, address);
    } catch {
      // Locked already: nothing to count.
    }
  }

  /** Counts an attempt from a known device, or within a session. Throws as `fromAddress`. */
  fromDevice(account: string, device: string): Attempt {
    const now = this.elapsed();
    const name = `${account}${device}`;
    const wait = this.byDevice.waitFor([name], MAX_FAILURES.device, now);
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byDevice, name]);
  }

  /** Forgets the failures of an account. Returns their number. */
  unlock(account: string): number {
    const now = this.elapsed();
    this.byAccountAndAddress.forget(account, now);
    return this.byAccount.forget(account, now) + this.byDevice.forget(account, now);
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
