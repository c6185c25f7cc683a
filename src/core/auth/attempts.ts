import { RuntimeError } from '../shared/errors.ts';
import { RecentFailures } from './failures.ts';

/** One attempt to log in that has been counted as a failure. */
export interface Attempt {
  /** The password was right, or was not compared: the attempt does not count. */
  undo(): void;
}

/** An account as attempts name it: a tenant and an e-mail; without a tenant where a login named none. */
export function accountOf(tenant: string | null, email: string): string {
  return `${tenant ?? ''} ${email.toLowerCase()}\n`;
}

/** Failures in fifteen minutes after which attempts are refused. */
const LIMITS = { accountAndAddress: 10, account: 100, device: 10 };

/**
 * Counts attempts to log in, and locks out after too many failures. Attempts of strangers count for an account and
 * their address (10) and for the account from everywhere (100). Attempts with a device cookie count for that device
 * alone (10), so that strangers cannot lock out a known device (OWASP: "device cookies"). An attempt counts before its
 * password is compared, so that many at once are no way around; a right password takes it back.
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

  /**
   * An attempt at an account without a device cookie. Throws `rate_limited`, with the seconds until the next. Failures of
   * the accounts `alsoOf` are added to those of the account when it is decided whether the attempt may be made.
   */
  ofStranger(account: string, address: string, alsoOf: string[] = []): Attempt {
    const now = this.elapsed();
    const accounts = [account, ...alsoOf];
    const both = accounts.map((one) => `${one}${address}`);
    const wait = Math.max(
      this.byAccountAndAddress.waitFor(both, LIMITS.accountAndAddress, now),
      this.byAccount.waitFor(accounts, LIMITS.account, now),
    );
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byAccountAndAddress, `${account}${address}`], [this.byAccount, account]);
  }

  /** Counts a stranger's attempt at an account that does not exist, for its lockout to begin when those of others do. */
  note(account: string, address: string): void {
    try {
      this.ofStranger(account, address);
    } catch {
      // It is locked already, and no more need be counted.
    }
  }

  /** An attempt of a user from a known device, or within a session of theirs. Throws as `ofStranger`. */
  ofDevice(account: string, device: string): Attempt {
    const now = this.elapsed();
    const name = `${account}${device}`;
    const wait = this.byDevice.waitFor([name], LIMITS.device, now);
    if (wait > 0) throw tooManyFailures(wait);
    return countedIn(now, [this.byDevice, name]);
  }

  /** Forgets the failures of an account, of strangers and devices. Returns how many there were. */
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
