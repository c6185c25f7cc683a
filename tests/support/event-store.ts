import type { EventStoreOptions } from '../../src/storage/events/duckdb/store.ts';

/** Options of an event store, as usual in tests but for what is said otherwise. */
export function storeOptions(directory: string, changed: Partial<EventStoreOptions> = {}): EventStoreOptions {
  return {
    directory,
    dedupWindowMs: 86_400_000,
    queryTimeoutMs: 30_000,
    memoryLimit: 512e6,
    backlogLimit: 1e8,
    ...changed,
  };
}
