import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { DuckdbEventStore, type EventStoreOptions } from '../../../../../src/storage/events/duckdb/store.ts';
import { storeOptions } from '../../../../support/event-store.ts';

export async function openStore(t: TestContext, options: Partial<EventStoreOptions> = {}): Promise<DuckdbEventStore> {
  const directory = mkdtempSync(join(tmpdir(), 'agent-runtime-differential-'));
  const store = await DuckdbEventStore.open(storeOptions(directory, options), {
    onFault: (error) => t.diagnostic(String(error)),
  });
  t.after(async () => {
    await store.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return store;
}
