import { RuntimeError } from '../errors.ts';

const WINDOW_MS = 15 * 60_000;
/** As many as are remembered; of more, the one that was tried longest ago is forgotten. */
const MAX_NAMES = 10_000;

/** How often something may be tried in fifteen minutes, for each name: an e-mail, an address. */
class Tries {
  private readonly limit: number;
  /** When each was tried, oldest first; the name that was tried last comes last. */
  private readonly times = new Map<string, number[]>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Milliseconds until the next try; 0: now. */
  waitOf(name: string, now: number): number {
    const recent = this.recent(name, now);
    const oldest = recent[recent.length - this.limit];
    return oldest === undefined ? 0 : oldest + WINDOW_MS - now;
  }

  add(name: string, now: number): void {
    const recent = this.recent(name, now);
    this.times.delete(name);
    this.times.set(name, [...recent, now]);
    if (this.times.size <= MAX_NAMES) return;
    const [longestAgo] = this.times.keys();
    this.times.delete(longestAgo!);
  }

  takeBack(name: string, at: number): void {
    const times = this.times.get(name) ?? [];
    const index = times.indexOf(at);
    if (index === -1) return;
    if (times.length === 1) this.times.delete(name);
    else this.times.set(name, times.toSpliced(index, 1));
  }

  private recent(name: string, now: number): number[] {
    return (this.times.get(name) ?? []).filter((at) => at > now - WINDOW_MS);
  }
}

/** One attempt to log in that has been counted. */
export interface Attempt {
  /** It was right, or nothing was tried: it does not count. */
  takeBack(): void;
}

/**
 * Counts attempts to log in: of an e-mail from one address few, of an e-mail or from an address more, so that nobody is
 * easily locked out by what others try elsewhere. An attempt counts before its password is looked at, so that
 * many at once are no way around; who knows the password has it taken back.
 */
export class LoginAttempts {
  private readonly now: () => number;
  private readonly byBoth = new Tries(10);
  private readonly byEmail = new Tries(100);
  private readonly byAddress = new Tries(100);

  constructor(now: () => number) {
    this.now = now;
  }

  /** Throws `rate_limited`, with the seconds until the next attempt may be made. */
  count(email: string, address: string): Attempt {
    const now = this.now();
    const name = email.toLowerCase();
    const both = `${name} ${address}`;
    const waits = [this.byBoth.waitOf(both, now), this.byEmail.waitOf(name, now), this.byAddress.waitOf(address, now)];
    const wait = Math.max(...waits);
    if (wait > 0) {
      const retryAfter = Math.ceil(wait / 1_000);
      throw new RuntimeError('rate_limited', `Too many failed logins. Try again in ${retryAfter} s.`, { retryAfter });
    }
    this.byBoth.add(both, now);
    this.byEmail.add(name, now);
    this.byAddress.add(address, now);
    let counts = true;
    return {
      takeBack: () => {
        if (!counts) return;
        counts = false;
        this.byBoth.takeBack(both, now);
        this.byEmail.takeBack(name, now);
        this.byAddress.takeBack(address, now);
      },
    };
  }
}
