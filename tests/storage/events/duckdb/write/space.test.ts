import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { EVENTS_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { fillArrivals } from '../filled.ts';

test('DuckdbEventStore: erasure frees disk space as docs/operation.md says', async (t) => {
  const directory = temporaryDirectory(t);
  const open = () => DuckdbEventStore.open(storeOptions(directory));
  const size = () => statSync(join(directory, EVENTS_FILE)).size;
  await fillArrivals({ directory, open, first: { tenantId: 't', event: storedEvent() } });
  const filled = size();
  const store = await open();
  t.after(() => store.close());
  assert.ok((await store.erase('t', {})) > 100_000);
  await store.close();
  assert.ok(size() < filled / 2, `${size()} of ${filled} bytes`);
});
