import { RuntimeError } from '../errors.ts';

export interface RateLimit {
  /** Sustained rate; 0 turns the limit off. */
  perMinute: number;
  /** How many requests may come at once after a pause. */
  burst: number;
}

/** A token bucket per credential (RFC 2697 without the colours): it fills at the sustained rate up to the burst. */
export class RateLimiter {
  private readonly limit: RateLimit;
  private readonly now: () => number;
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(limit: RateLimit, now: () => number) {
    this.limit = limit;
    this.now = now;
  }

  /** Takes one request from a credential's bucket. Throws `rate_limited` with the seconds until the next fits. */
  take(credentialId: string): void {
    const { perMinute, burst } = this.limit;
    if (perMinute === 0) return;
    const now = this.now();
    const bucket = this.buckets.get(credentialId) ?? { tokens: burst, at: now };
    const perMs = perMinute / 60_000;
    // A clock that is put back by an hour must not take an hour's requests away.
    const tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs);
    this.buckets.set(credentialId, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now });
    if (tokens >= 1) return;
    const retryAfter = Math.max(1, Math.ceil((1 - tokens) / perMs / 1_000));
    throw new RuntimeError('rate_limited', `Too many requests: ${perMinute} a minute are allowed.`, {
      retryAfter,
    });
  }
}
