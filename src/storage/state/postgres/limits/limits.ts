import type { SecretKey } from '../../../../core/base/sealing/secret-key.ts';
import type { Limits } from '../../../../core/limits/rates/limits.ts';
import { TokenBuckets } from '../../../../core/limits/rates/token-buckets.ts';
import type { PostgresPool } from '../pool.ts';
import { PostgresEventCounts } from './event-counts.ts';
import { PostgresFailures } from './failures.ts';
import { PostgresPendingStore } from './pending.ts';

/**
 * Failures, pending entries and counts of all nodes that use the database. `secretKey` is the same
 * at every node.
 */
export function limitsOfNodes(pool: PostgresPool, secretKey: SecretKey, now: () => number): Limits {
  return {
    buckets: () => new TokenBuckets(now),
    failures: new PostgresFailures(pool, secretKey),
    pending: new PostgresPendingStore(pool, secretKey),
    eventCounts: new PostgresEventCounts(pool),
  };
}
