import { randomUUID } from 'node:crypto';
import { MAX_BATCH_EVENTS } from '../../src/core/analytics/events/ingest-schema.ts';
import { appendWithRetries, caller, diskOf, openOwnStore, settle, visible } from './own-store.ts';
import { makeStored } from './stored-events.ts';
import { residentMb } from './tenants-measure.ts';

/** The disk and memory of a store after so many ids. */
export interface DedupStage {
  spoolBytes: number;
  allBytes: number;
  memoryMb: number;
}

interface Input {
  directory: string;
  /** In ascending order. */
  counts: number[];
  idFromCaller: boolean;
}

const TENANT = 'dedup';
/** Few batches wait at any time, so that the backlog leaves little free space behind. */
const BATCHES_AT_ONCE = 2;

/** Appends events up to each count, and measures the store there. */
export async function measureDedup({ directory, counts, idFromCaller }: Input): Promise<DedupStage[]> {
  const store = await openOwnStore(directory, [TENANT]);
  const { tenantId } = caller(store, TENANT);
  const { eventStore } = store.runtime;
  const stages: DedupStage[] = [];
  let done = 0;
  for (const count of counts) {
    while (done < count) {
      const receipts: string[] = [];
      for (let batch = 0; batch < BATCHES_AT_ONCE && done < count; batch++) {
        const length = Math.min(MAX_BATCH_EVENTS, count - done);
        const events = Array.from({ length }, () => ({ ...makeStored(), id: randomUUID(), idFromCaller }));
        receipts.push(await appendWithRetries(eventStore, tenantId, events));
        done += length;
      }
      for (const receipt of receipts) await visible(eventStore, receipt);
    }
    await settle(directory);
    const { spool, all } = diskOf(directory);
    stages.push({ spoolBytes: spool, allBytes: all, memoryMb: residentMb() });
  }
  await store.runtime.close();
  return stages;
}
