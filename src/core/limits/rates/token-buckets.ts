import type { Bucket, Buckets, LackingBucket, Rate } from './buckets.ts';

interface Filling {
  rate: Rate;
  tokens: number;
  /** Epoch milliseconds of `tokens`. */
  at: number;
}

/** Those of this process. Evicts full ones (equal to new ones), then the least recently used. */
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

  takeEach(buckets: readonly Bucket[]): LackingBucket | null {
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
