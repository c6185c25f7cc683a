import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredEvent } from '../../src/core/analytics/events/store.ts';
import { RuntimeError } from '../../src/core/base/shared/errors.ts';
import { withMethods } from '../../src/core/base/shared/with-methods.ts';
import { DuckdbEventStore } from '../../src/storage/events/duckdb/store.ts';
import { MAX_EVENTS_PER_TENANT } from '../../src/storage/events/shared/known-names.ts';
import { copyEvents, digestEvents } from '../../src/transfer/events.ts';
import { temporaryDirectory } from '../support/app.ts';
import { storeOptions } from '../support/event-store.ts';
import { rareTest } from '../support/rare.ts';

const MINUTE = 60_000;
const BASE = Date.UTC(2026, 2, 1);

/** Over many days, thousands of them at one time, with texts of every kind, and events of the runtime. */
function events(count: number): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    idFromCaller: index % 3 === 0,
    agentId: index % 2 === 0 ? 'support' : 'vendas 💡',
    eventName: index % 7 === 0 ? 'runtime.tool_called' : 'message',
    timestamp: BASE + (index % 5 === 0 ? 0 : index * 20 * MINUTE),
    threadId: index % 4 === 0 ? null : `thread ${index % 10}`,
    executionId: index % 4 === 0 ? 'an execution' : null,
    properties: JSON.stringify({ index, text: 'ação \u0000', nested: { list: [1, null, 'x'] }, big: 2 ** 60 }),
  }));
}

async function duckdb(t: TestContext): Promise<DuckdbEventStore> {
  const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
  t.after(() => store.close());
  return store;
}

test('copyEvents: every event arrives as it was, a repetition doubles none', async (t) => {
  const [from, to] = [await duckdb(t), await duckdb(t)];
  const all = events(15_000);
  await from.append('one', all);
  await from.append('two', events(3));
  await from.settle();
  let refused = 0;
  const busy = withMethods(to, {
    append: async (...args: Parameters<typeof to.append>) => {
      refused += 1;
      if (refused % 3 === 1) throw new RuntimeError('unavailable', 'The backlog is full.');
      return to.append(...args);
    },
  });
  let copied = 0;
  const onEvents = (count: number) => {
    copied += count;
  };
  const made = await copyEvents(from, busy, 'one', { onEvents, wait: () => nextTurn() });
  await to.settle();
  assert.equal(copied, all.length);
  assert.equal(made.events, all.length);
  assert.deepEqual(await digestEvents(to, 'one'), made);
  await copyEvents(from, to, 'one', { wait: () => nextTurn() });
  await to.settle();
  assert.deepEqual(await digestEvents(to, 'one'), made);
  assert.equal((await digestEvents(to, 'two')).events, 0);
});

rareTest('copyEvents: names beyond those that are listed arrive, too', async (t) => {
  const [from, to] = [await duckdb(t), await duckdb(t)];
  const many = events(MAX_EVENTS_PER_TENANT + 200).map((event, index) => ({ ...event, eventName: `name ${index}` }));
  await from.append('one', [...many, { ...many[0]!, id: 'of the runtime', eventName: 'runtime.tool_called' }]);
  await from.settle();
  assert.equal((await from.knownEvents('one', null)).length, MAX_EVENTS_PER_TENANT);
  const { events: copied } = await copyEvents(from, to, 'one', { wait: () => nextTurn() });
  await to.settle();
  assert.equal(copied, many.length + 1);
  assert.deepEqual(await digestEvents(to, 'one'), await digestEvents(from, 'one'));
  assert.equal((await digestEvents(to, 'one')).events, many.length + 1);
});

test('digestEvents: one differing character, or one event more, is another checksum', async (t) => {
  const digests = [];
  const changes = [(list: StoredEvent[]) => list, (list: StoredEvent[]) => [{ ...list[0]!, threadId: 'x' }, list[1]!]];
  for (const change of changes) {
    const store = await duckdb(t);
    await store.append('one', change(events(2)));
    await store.settle();
    digests.push((await digestEvents(store, 'one')).checksum);
  }
  assert.notEqual(digests[0], digests[1]);
});
