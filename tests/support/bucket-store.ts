import type { Rate } from '../../src/core/limits/buckets.ts';
import type { BucketStore, Exchange, Exchanged } from '../../src/core/limits/leased-buckets.ts';

/** What PostgreSQL does, in memory, with a clock of the test. */
export class MemoryBucketStore implements BucketStore {
  readonly clock = { now: 0 };
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  async exchange(asked: readonly Exchange[]): Promise<Exchanged[]> {
    return asked.map(({ name, rate, tokens: wanted }) => {
      const filled = this.filled(name, rate);
      const granted = Math.min(wanted, Math.floor(filled));
      const tokens = Math.min(rate.burst, filled - granted);
      this.buckets.set(name, { tokens, at: this.clock.now });
      return { granted, waitMs: granted < wanted ? ((1 - tokens) / rate.perMinute) * 60_000 : 0 };
    });
  }

  async tokens(name: string, rate: Rate): Promise<number> {
    return this.filled(name, rate);
  }

  private filled(name: string, { burst, perMinute }: Rate): number {
    const { tokens, at } = this.buckets.get(name) ?? { tokens: burst, at: this.clock.now };
    return Math.min(burst, tokens + (Math.max(0, this.clock.now - at) * perMinute) / 60_000);
  }
}
