/** A token bucket's size and rate. */
export interface Rate {
  /** Tokens that come in a minute; above 0. */
  perMinute: number;
  /** The most tokens that a bucket holds. */
  burst: number;
}

interface Bucket {
  rate: Rate;
  tokens: number;
  /** Epoch milliseconds at which `tokens` was true. */
  at: number;
}

/**
 * Token buckets by name (RFC 2697 without the colours): each fills at its rate up to its burst. A bucket that is full again
 * is forgotten, since a new one is full, too; beyond `maximum`, the one that was taken from the longest ago.
 */
export class TokenBuckets {
  private readonly now: () => number;
  private readonly maximum: number;
  /** Those that were taken from the longest ago first. */
  private readonly buckets = new Map<string, Bucket>();

  constructor(now: () => number, maximum = 100_000) {
    this.now = now;
    this.maximum = maximum;
  }

  get size(): number {
    return this.buckets.size;
  }

  /** How many tokens there are. */
  tokens(name: string, rate: Rate): number {
    const bucket = this.buckets.get(name);
    return bucket === undefined ? rate.burst : filled(bucket, rate, this.now());
  }

  /** Seconds until a token comes; 0: one is there. */
  wait(name: string, rate: Rate): number {
    const tokens = this.tokens(name, rate);
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) / rate.perMinute) * 60));
  }

  /** Takes a token, where there is one. */
  take(name: string, rate: Rate): void {
    const tokens = this.tokens(name, rate);
    const now = this.now();
    this.buckets.delete(name);
    this.buckets.set(name, { rate, tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    this.forget(now);
  }

  /** Two with each that is taken, so that the work of forgetting is spread. */
  private forget(now: number): void {
    let looked = 0;
    for (const [name, bucket] of this.buckets) {
      const isFull = filled(bucket, bucket.rate, now) >= bucket.rate.burst;
      if (this.buckets.size <= this.maximum && (!isFull || looked >= 2)) return;
      this.buckets.delete(name);
      looked += 1;
    }
  }
}

/** A clock that is put back by an hour must not take an hour's tokens away. */
function filled({ tokens, at }: Bucket, { perMinute, burst }: Rate, now: number): number {
  return Math.min(burst, tokens + (Math.max(0, now - at) * perMinute) / 60_000);
}
