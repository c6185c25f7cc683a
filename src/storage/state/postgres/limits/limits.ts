import type { SecretKey } from '../../../../core/base/sealing/secret-key.ts';
import { TokenBuckets } from '../../../../core/limits/rates/buckets.ts';
import type { LimitStores } from '../../../../core/limits/rates/limits.ts';
import type { PostgresPool } from '../pool.ts';
import { PostgresEventCounts } from './event-counts.ts';
import { PostgresFailures } from './failures.ts';
import { PostgresPendingStore } from './pending.ts';

/**
 * Failures, pending entries and counts of all nodes that use the database. `secretKey` is the same
 * at every node.
 */
export function limitsOfNodes(pool: PostgresPool, secretKey: SecretKey, now: () => number): LimitStores {
  return {
    buckets: () => new TokenBuckets(now),
    failures: new PostgresFailures(pool, secretKey),
    pending: new PostgresPendingStore(pool, secretKey),
    eventCounts: new PostgresEventCounts(pool),
  };
}
