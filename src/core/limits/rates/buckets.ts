export interface Rate {
  /** Above 0. */
  perMinute: number;
  burst: number;
}

export interface TokenBucket {
  name: string;
  rate: Rate;
}

export interface LackingBucket {
  /** Its index among those asked. */
  index: number;
  /** Seconds until it has a token. */
  retryAfter: number;
}

/** Token buckets (RFC 2697) of this process. Each node has its own. */
export interface Buckets {
  /** Takes a token of each bucket, or none. Null: taken; else the first one that lacks a token. */
  takeEach(buckets: readonly TokenBucket[]): LackingBucket | null;
  /** How many a bucket has. */
  tokens(name: string, rate: Rate): number;
}

/** The rates that all addresses share. */
export interface SharedRates {
  all: Rate;
  /**
   * An address within this rate takes from a second bucket, which only very many networks together
   * can empty.
   */
  quiet: Rate;
}

/**
 * The buckets that an address may take from, in order: the first group in which each has a token
 * counts.
 */
export function sharesOf(name: string, address: string, { all, quiet }: SharedRates): TokenBucket[][] {
  // A customer has many networks of IPv6.
  const network = address.replace(/^((?:[\da-f]+:){3})[\da-f]+::\/64$/, '$1:/48');
  const ofQuiet = [
    { name: `${name} of quiet ${network}`, rate: quiet },
    { name: `${name} of the quiet`, rate: all },
  ];
  return [ofQuiet, [{ name, rate: all }]];
}

/** The use of a bucket; each has names of its own. */
export type BucketUse =
  | 'requests'
  | 'invalid keys'
  | 'new keys'
  | 'oauth'
  | 'tests'
  | 'provider tests'
  | 'gaps'
  | 'links';

interface Filling {
  rate: Rate;
  tokens: number;
  /** Epoch milliseconds of `tokens`. */
  at: number;
}

/** Buckets of this process. Evicts full ones (equal to new ones), then the least recently used. */
export class TokenBuckets implements Buckets {
  private readonly now: () => number;
  private readonly maximum: number;
  /** Least recently used first. */
  private readonly buckets = new Map<string, Filling>();

  constructor(now: () => number, maximum = 100_000) {
    this.now = now;
    this.maximum = maximum;
  }

  get size(): number {
    return this.buckets.size;
  }

  takeEach(buckets: readonly TokenBucket[]): LackingBucket | null {
    for (const [index, { name, rate }] of buckets.entries()) {
      const retryAfter = this.wait(name, rate);
      if (retryAfter > 0) return { index, retryAfter };
    }
    for (const { name, rate } of buckets) this.take(name, rate);
    return null;
  }

  tokens(name: string, rate: Rate): number {
    const bucket = this.buckets.get(name);
    return bucket === undefined ? rate.burst : filled(bucket, rate, this.now());
  }

  /** Seconds until a token is available. */
  wait(name: string, rate: Rate): number {
    const tokens = this.tokens(name, rate);
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) / rate.perMinute) * 60));
  }

  take(name: string, rate: Rate): void {
    const tokens = this.tokens(name, rate);
    const now = this.now();
    this.buckets.delete(name);
    this.buckets.set(name, { rate, tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.evict(now);
  }

  /** At most two per call, to spread the work. */
  private evict(now: number): void {
    let evicted = 0;
    for (const [name, bucket] of this.buckets) {
      const isFull = filled(bucket, bucket.rate, now) >= bucket.rate.burst;
      if (this.buckets.size <= this.maximum && (!isFull || evicted >= 2)) return;
      this.buckets.delete(name);
      evicted += 1;
    }
  }
}

/** A clock that is set back must not remove tokens. */
function filled({ tokens, at }: Filling, { perMinute, burst }: Rate, now: number): number {
  return Math.min(burst, tokens + (Math.max(0, now - at) * perMinute) / 60_000);
}
