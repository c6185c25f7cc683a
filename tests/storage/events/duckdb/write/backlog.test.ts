import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import type { StoreObserver } from '../../../../../src/storage/events/duckdb/observer.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';

const opens = (directory: string, onStage: StoreObserver['onStage'] = () => undefined) =>
  DuckdbEventStore.open(storeOptions(directory), { onStage });

const BEYOND_ASCII = storedEvent({ properties: '{"text":"ça va 😀"}' });

/* A crash is simulated by a copy of the directory at a stage of the first flush. */
for (const at of ['flush:committing', 'flush:committed'] as const) {
  test(`Spool: the backlog is empty after a crash at ${at} and a restart`, async (t) => {
    const [directory, crashed] = [temporaryDirectory(t), temporaryDirectory(t)];
    let copied = false;
    const store = await opens(directory, (stage) => {
      if (stage !== at || copied) return;
      copied = true;
      cpSync(directory, crashed, { recursive: true });
    });
    t.after(() => store.close());
    const { receipt } = await store.append('t', [BEYOND_ASCII]);
    assert.equal(await store.waitFor(receipt, 5_000), true);

    const next = await opens(crashed);
    t.after(() => next.close());
    const { batches, bytes } = (await next.stats()).backlog;
    assert.deepEqual([copied, batches, bytes], [true, 0, 0]);
  });
}

test('Spool: the backlog is counted in bytes, not characters', async (t) => {
  const store = await opens(temporaryDirectory(t));
  t.after(() => store.close());
  await store.append('t', [BEYOND_ASCII]);
  assert.equal((await store.stats()).backlog.bytes, Buffer.byteLength(JSON.stringify([BEYOND_ASCII])));
});
