import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoredEvent } from '../../src/core/events/store.ts';
import { RuntimeError } from '../../src/core/shared/errors.ts';
import { withMethods } from '../../src/core/shared/with-methods.ts';
import { copyEvents, digestEvents } from '../../src/moving/events.ts';
import { DuckdbEventStore } from '../../src/storage/duckdb/store.ts';
import { temporaryDirectory } from '../support/app.ts';
import { storeOptions } from '../support/event-store.ts';

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

test('copyEvents: every event arrives as it was, a repetition doubles none', async (t) => {
  const [from, to] = [
    await DuckdbEventStore.open(storeOptions(temporaryDirectory(t))),
    await DuckdbEventStore.open(storeOptions(temporaryDirectory(t))),
  ];
  t.after(() => Promise.all([from.close(), to.close()]));
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

test('digestEvents: one differing character, or one event more, is another checksum', async (t) => {
  const digests = [];
  const changes = [(list: StoredEvent[]) => list, (list: StoredEvent[]) => [{ ...list[0]!, threadId: 'x' }, list[1]!]];
  for (const change of changes) {
    const store = await DuckdbEventStore.open(storeOptions(temporaryDirectory(t)));
    t.after(() => store.close());
    await store.append('one', change(events(2)));
    await store.settle();
    digests.push((await digestEvents(store, 'one')).checksum);
  }
  assert.notEqual(digests[0], digests[1]);
});
