import assert from 'node:assert/strict';
import { setImmediate as nextTick } from 'node:timers/promises';
import { planTable } from '../../../../../src/core/analytics/events/questions/plan.ts';
import type { EventStore } from '../../../../../src/core/analytics/events/store.ts';
import { RuntimeError } from '../../../../../src/core/base/shared/errors.ts';
import { DuckdbEventStore } from '../../../../../src/storage/events/duckdb/store.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { tableQuestion } from '../../../../reference/questions.ts';
import { temporaryDirectory } from '../../../../support/app.ts';
import { storeOptions } from '../../../../support/event-store.ts';
import { rareTest } from '../../../../support/rare.ts';

const EVENTS = 60_000;
/** The least that a server accepts. */
const MEMORY_LIMIT = 64e6;
const BATCH = 1_000;
const FLUSHES = 8;
const VISIBLE_WITHIN_MS = 10_000;

const HUNGRY = {
  eventName: 'a',
  mode: 'aggregate',
  groupBy: ['user', 'word', 'text'],
  metrics: [
    { aggregation: 'p95', propertyKey: 'n', alias: 'a' },
    { aggregation: 'median', propertyKey: 'm', alias: 'b' },
    { aggregation: 'distinct_count', propertyKey: 'text', alias: 'c' },
    { aggregation: 'distinct_count', propertyKey: 'word', alias: 'd' },
    { aggregation: 'p99', propertyKey: 'm', alias: 'e' },
    { aggregation: 'distinct_count', propertyKey: 'user', alias: 'f' },
  ],
};
const SMALL = {
  eventName: 'a',
  mode: 'aggregate',
  metrics: [{ aggregation: 'sum', propertyKey: 'n', alias: 'sum' }],
};

rareTest('DuckdbEventStore: hungry queries fail no flush and no small query of others', async (t) => {
  const faults: string[] = [];
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t), { memoryLimit: MEMORY_LIMIT }), {
    onFault: (error) => faults.push(String(error)),
  });
  t.after(() => store.close());
  for (let first = 0; first < EVENTS; first += BATCH) await store.append('hungry', events(first, BATCH));
  await store.append('other', events(0, 10));
  await store.settle();
  assert.deepEqual(faults.splice(0), [], 'faults while nobody asks');

  let asking = true;
  const codes = new Map<string, number>();
  const hogs = Array.from({ length: 4 }, async () => {
    while (asking) {
      const outcome = await ask(store, 'hungry', HUNGRY).then(
        () => 'ok',
        (error: unknown) => (error instanceof RuntimeError ? error.code : String(error)),
      );
      codes.set(outcome, (codes.get(outcome) ?? 0) + 1);
      await nextTick();
    }
  });
  try {
    for (let flush = 0; flush < FLUSHES; flush += 1) {
      const { receipt } = await store.append('other', events(flush, 50));
      const [small, visible] = await Promise.all([
        ask(store, 'other', SMALL),
        store.waitFor(receipt, VISIBLE_WITHIN_MS),
      ]);
      assert.ok(Number(small.rows[0]?.[0]) >= 0);
      assert.ok(visible, `flush ${flush}`);
    }
  } finally {
    asking = false;
    await Promise.all(hogs);
  }
  assert.deepEqual(faults, []);
  const unexpected = [...codes.keys()].filter((code) => !['ok', 'unprocessable', 'unavailable'].includes(code));
  assert.deepEqual(unexpected, []);
});

function ask(store: EventStore, tenantId: string, input: object) {
  const context = { agentId: null, timezone: 'UTC', now: Date.now() };
  return store.query(tenantId, planTable(tableQuestion(input), context));
}

function events(first: number, count: number) {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const [user, word, text] = [`user-${number}`, `word ${number * 7}`, `some text of some length ${number * 31}`];
    return storedEvent({ properties: JSON.stringify({ user, word, text, n: number % 1_000, m: number % 997 }) });
  });
}
