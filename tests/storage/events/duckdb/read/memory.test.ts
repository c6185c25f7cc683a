import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { QUARANTINE_FILE } from '../../../../../src/storage/installation/names.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';

const BATCHES = 20;
const EVENTS = 1_000;
const KEYS = 40;

function wideEvent(batch: number, index: number) {
  const values = Array.from({ length: KEYS }, (_, key) => [`key ${key}`, `${key} ${'x'.repeat(40)} ${index}`]);
  return storedEvent({ properties: JSON.stringify({ ...Object.fromEntries(values), batch }) });
}

rareTest('DuckdbEventStore: lack of memory loses, doubles and quarantines no event', async (t) => {
  const directory = temporaryDirectory(t);
  const faults = new Set<string>();
  const open = (memoryLimit: number) =>
    DuckdbEventStore.open(storeOptions(directory, { memoryLimit }), { onFault: (error) => faults.add(String(error)) });
  const starved = await open(48e6);
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await starved.append(
      't',
      Array.from({ length: EVENTS }, (_, index) => wideEvent(batch, index)),
    );
  }
  await sleep(3_000);
  await starved.close();
  assert.ok(
    [...faults].some((fault) => /allocate|pin block/.test(fault)),
    [...faults].join(),
  );

  // A finalizer must not repeat rows that were rolled back.
  const fed = await open(512e6);
  t.after(() => fed.close());
  const metrics = [{ aggregation: 'distinct_count', propertyKey: 'id', alias: 'ids' }];
  const input = tableQuestion({ eventName: 'a', mode: 'aggregate', groupBy: 'batch', metrics });
  const byBatch = planTable(input, {
    agentId: null,
    timezone: 'UTC',
    now: Date.now(),
  });
  const { rows, matched } = await fed.query('t', byBatch);
  assert.equal(matched, BATCHES * EVENTS);
  assert.deepEqual(new Set(rows.map(([, ids]) => ids)), new Set([EVENTS]), 'each event once');
  assert.equal(existsSync(join(directory, QUARANTINE_FILE)), false);
});
