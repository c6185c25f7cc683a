import { type EventCounts, MemoryEventCounts } from '../quotas/event-counts.ts';
import { type Buckets, type BucketUse, TokenBuckets } from './buckets.ts';
import { type Failures, RecentFailures } from './failures.ts';
import { MemoryPendingStore, type PendingStore } from './pending.ts';

/**
 * Stores of short-lived counts and requests. Buckets are each node's own; all nodes share the rest.
 */
export interface LimitStores {
  buckets(use: BucketUse): Buckets;
  failures: Failures;
  pending: PendingStore;
  eventCounts: EventCounts;
}

/** Stores in the memory of one process. */
export function limitsOfProcess(now: () => number): LimitStores {
  return {
    buckets: () => new TokenBuckets(now),
    failures: new RecentFailures(() => performance.now()),
    pending: new MemoryPendingStore(now),
    eventCounts: new MemoryEventCounts(now),
  };
}
