import type { Buckets, BucketUse } from '../../../core/limits/buckets.ts';
import { LeasedBuckets } from '../../../core/limits/leased-buckets.ts';
import type { Limits } from '../../../core/limits/limits.ts';
import { TokenBuckets } from '../../../core/limits/token-buckets.ts';
import type { SecretKey } from '../../../core/sealing/secret-key.ts';
import type { PostgresPool } from '../pool.ts';
import { PostgresBucketStore } from './buckets.ts';
import { PostgresEventCounts } from './event-counts.ts';
import { PostgresFailures } from './failures.ts';
import { PostgresPendingStore } from './pending.ts';

export interface LimitsOfNodesParts {
  pool: PostgresPool;
  /** The same at every node. */
  secretKey: SecretKey;
  now: () => number;
  /** When the database stops answering in time, and each node limits on its own; and when it answers again. */
  onChange: (isAway: boolean, error?: unknown) => void;
}

/** Of all nodes that use the database. */
export function limitsOfNodes({ pool, secretKey, now, onChange }: LimitsOfNodesParts): Limits {
  const leased = new LeasedBuckets({
    store: new PostgresBucketStore(pool),
    own: new TokenBuckets(now),
    elapsed: () => performance.now(),
    onChange,
  });
  return {
    buckets: (use) => namedAfter(use, leased),
    failures: new PostgresFailures(pool, secretKey),
    pending: new PostgresPendingStore(pool, secretKey),
    eventCounts: new PostgresEventCounts(pool),
    isAlone: () => leased.isAlone,
  };
}

function namedAfter(use: BucketUse, buckets: Buckets): Buckets {
  return {
    takeEach: (asked) => buckets.takeEach(asked.map(({ name, rate }) => ({ name: `${use} ${name}`, rate }))),
    tokens: (name, rate) => buckets.tokens(`${use} ${name}`, rate),
  };
}
