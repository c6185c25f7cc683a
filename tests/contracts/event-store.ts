import assert from 'node:assert/strict';
import type { TestContext, test } from 'node:test';
import { fieldOf } from '../../src/core/analytics/events/predicates.ts';
import { aggregatePlan, type RawPlan } from '../../src/core/analytics/events/query-plan.ts';
import { planRaw, planTable } from '../../src/core/analytics/events/questions/plan.ts';
import type { EventStore, StoredEvent } from '../../src/core/analytics/events/store.ts';
import { tableQuestion } from '../reference/questions.ts';

/** Opens a backend; reopening the same directory must find the stored events. */
export type OpenEventStore = (directory: string, options?: { dedupWindowMs?: number }) => Promise<EventStore>;

export interface Backend {
  name: string;
  open: OpenEventStore;
  directory(t: TestContext): string;
}

export const CONTEXT = { agentId: null, timezone: 'UTC', now: Date.parse('2026-01-02T00:00:00Z') };

let counter = 0;

export function storedEvent(event: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: `event-${++counter}`,
    idFromCaller: false,
    agentId: 'support',
    eventName: 'a',
    timestamp: Date.parse('2026-01-01T00:00:00Z'),
    threadId: null,
    executionId: null,
    properties: '{}',
    ...event,
  };
}

const countOf = (eventName: string) => planTable(tableQuestion({ eventName, mode: 'aggregate' }), CONTEXT);

async function count(store: EventStore, tenantId: string, eventName = 'a'): Promise<number> {
  return (await store.query(tenantId, countOf(eventName))).matched;
}

interface Openable<Store extends EventStore> {
  open(directory: string, options?: { dedupWindowMs?: number }): Promise<Store>;
  directory(t: TestContext): string;
}

export function storeHelpers<Store extends EventStore>({ open, directory }: Openable<Store>) {
  return {
    opened: async (t: TestContext, options?: { dedupWindowMs?: number }) => {
      const at = directory(t);
      const store = await open(at, options);
      t.after(() => store.close());
      return { store, at };
    },
    visible: async (store: EventStore, tenantId: string, events: StoredEvent[]) => {
      const result = await store.append(tenantId, events);
      assert.equal(await store.waitFor(result.receipt, 5_000), true);
      return result;
    },
  };
}

export function testEventStore({ name, open, directory }: Backend, define: typeof test): void {
  const { opened, visible } = storeHelpers({ open, directory });

  define(`${name}: appended events become visible, and survive a restart`, async (t) => {
    const { store, at } = await opened(t);
    await visible(store, 't', [storedEvent(), storedEvent()]);
    assert.equal(await count(store, 't'), 2);
    await store.append('t', [storedEvent()]);
    await store.close();
    const again = await open(at);
    t.after(() => again.close());
    assert.equal(await count(again, 't'), 3, 'what was not flushed yet is flushed at the next start');
  });

  define(`${name}: after settle everything appended before is visible`, async (t) => {
    const { store } = await opened(t);
    await store.settle();
    for (let round = 1; round <= 5; round++) {
      await Promise.all(['t', 'u'].map((tenantId) => store.append(tenantId, [storedEvent()])));
      await store.settle();
      assert.deepEqual([await count(store, 't'), await count(store, 'u')], [round, round]);
    }
  });

  define(`${name}: events become visible without a wait within two seconds`, async (t) => {
    const { store } = await opened(t);
    await store.append('t', [storedEvent()]);
    const deadline = Date.now() + 2_000;
    while ((await count(store, 't')) === 0 && Date.now() < deadline) await new Promise((next) => setTimeout(next, 50));
    assert.equal(await count(store, 't'), 1);
  });

  define(`${name}: a caller's id is stored once, in a race and after a restart`, async (t) => {
    const { store, at } = await opened(t);
    const named = () => storedEvent({ id: 'mine', idFromCaller: true });
    const results = await Promise.all(Array.from({ length: 20 }, () => store.append('t', [named()])));
    assert.equal(results.filter(({ duplicates }) => duplicates === 0).length, 1);
    assert.equal((await visible(store, 'other', [named()])).duplicates, 0);
    await store.close();
    const again = await open(at);
    t.after(() => again.close());
    assert.equal((await again.append('t', [named(), named()])).duplicates, 2);
    assert.equal(await count(again, 't'), 1);
  });

  define(`${name}: an id made by the server is never a duplicate`, async (t) => {
    const { store } = await opened(t);
    const { duplicates } = await visible(store, 't', [storedEvent({ id: 'x' }), storedEvent({ id: 'x' })]);
    assert.equal(duplicates, 0);
    assert.equal(await count(store, 't'), 2);
  });

  define(`${name}: an id counts as new after the dedup window`, async (t) => {
    const { store } = await opened(t, { dedupWindowMs: 50 });
    const named = () => storedEvent({ id: 'mine', idFromCaller: true });
    await store.append('t', [named()]);
    // Times of ids are whole seconds.
    await new Promise((next) => setTimeout(next, 2_100));
    assert.equal((await store.append('t', [named()])).duplicates, 0);
  });

  define(`${name}: the receipt of duplicates waits for the originals`, async (t) => {
    const { store } = await opened(t);
    const named = () => storedEvent({ id: 'mine', idFromCaller: true });
    await store.append('t', [named()]);
    await visible(store, 't', [named()]);
    assert.equal(await count(store, 't'), 1);
  });

  define(`${name}: an empty batch is accepted`, async (t) => {
    const { store } = await opened(t);
    assert.deepEqual((await visible(store, 't', [])).duplicates, 0);
  });

  define(`${name}: an invalid receipt is refused`, async (t) => {
    const { store } = await opened(t);
    await assert.rejects(store.waitFor('nonsense', 10), { code: 'invalid' });
  });

  define(`${name}: tenants are isolated in queries and known names`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 'one', [storedEvent({ properties: '{"secret":1}' })]);
    await visible(store, 'two', [storedEvent({ eventName: 'b' })]);
    assert.equal(await count(store, 'two'), 0);
    assert.deepEqual(
      (await store.knownEvents('two', null)).map((event) => event.eventName),
      ['b'],
    );
    assert.deepEqual(await store.knownProperties('two', null, ['a', 'b']), []);
  });

  define(`${name}: names, keys and types are listed as they were seen`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [
      storedEvent({ properties: '{"z":1,"a":"x","gone":null,"deep":{"er":[1]}}', timestamp: 1_000 }),
      storedEvent({ properties: '{"a":2}', timestamp: 3_000 }),
      storedEvent({ properties: '{"b":true}', agentId: 'sales', timestamp: 2_000 }),
    ]);
    const [known] = await store.knownEvents('t', 'support');
    assert.deepEqual(known, { agentId: 'support', eventName: 'a', events: 2, firstSeen: 1_000, lastSeen: 3_000 });
    assert.equal((await store.knownEvents('t', null)).length, 2);
    assert.deepEqual(await store.knownProperties('t', 'support', ['a']), [
      { key: 'z', nested: false, types: ['number'] },
      { key: 'a', nested: false, types: ['number', 'string'] },
      { key: 'deep', nested: false, types: ['object'] },
      { key: 'deep.er', nested: true, types: ['array'] },
    ]);
  });

  define(`${name}: values are returned exactly as stored`, async (t) => {
    const { store } = await opened(t);
    const properties = {
      text: 'q"\\\0\u2028 😀',
      list: [1, null, { x: [] }],
      number: 1e-7,
      large: 9007199254740991,
      none: null,
    };
    await visible(store, 't', [storedEvent({ properties: JSON.stringify(properties), threadId: 'th"r' })]);
    const plan = planRaw(tableQuestion({ eventName: 'a' }), ['threadId', ...Object.keys(properties)], CONTEXT);
    const { rows } = await store.query('t', plan);
    assert.deepEqual(rows, [[JSON.stringify({ threadId: 'th"r', ...properties })]]);
    const { shownAs: _, ...values } = plan;
    assert.deepEqual((await store.query('t', values)).rows, [['th"r', ...Object.values(properties)]]);
  });

  define(`${name}: the first groups by time, and all others as one`, async (t) => {
    const { store } = await opened(t);
    const values = [1, 2, 2, 3];
    await visible(
      store,
      't',
      values.map((value, at) => storedEvent({ timestamp: at < 2 ? 7 : 8 + at, properties: JSON.stringify({ value }) })),
    );
    const plan = aggregatePlan({
      selection: { agentId: null, eventNames: ['a'], from: null, to: null, predicates: [] },
      groupBy: [fieldOf('timestamp')],
      metrics: [{ aggregation: 'distinct_count', field: fieldOf('value') }],
      top: 1,
    });
    assert.deepEqual((await store.query('t', plan)).rows, [
      [7, 2, null, false],
      [null, 2, null, true],
    ]);
  });

  define(`${name}: rows whose values are equal as text are sorted newest first`, async (t) => {
    const { store } = await opened(t);
    const values = [true, 'true', 'true', true, 2, '{"a":1}', { a: 1 }];
    await visible(
      store,
      't',
      values.map((value, timestamp) => storedEvent({ timestamp, properties: JSON.stringify({ value }) })),
    );
    for (const [sortOrder, times] of [
      ['asc', [4, 3, 2, 1, 0, 6, 5]],
      ['desc', [4, 6, 5, 3, 2, 1, 0]],
    ] as const) {
      const question = tableQuestion({ eventName: 'a', sortBy: 'value', sortOrder });
      const { shownAs: _, ...plan } = planRaw(question, ['timestamp'], CONTEXT);
      assert.deepEqual((await store.query('t', plan)).rows.flat(), times);
    }
  });

  define(`${name}: all names are selected with the runtime's own, or without`, async (t) => {
    const { store } = await opened(t);
    const names = ['a', 'b', 'runtime.tool_called'];
    await visible(
      store,
      't',
      names.map((eventName) => storedEvent({ eventName })),
    );
    const selection = { agentId: null, eventNames: null, from: null, to: null, predicates: [] };
    const namesOf = async (plan: Pick<RawPlan, 'selection'>) => {
      const field = { kind: 'event', name: 'eventName' } as const;
      const page = { columns: [field], sort: { field, descending: false }, limit: 10, offset: 0 };
      const counted = aggregatePlan({ ...plan, groupBy: [], metrics: [{ aggregation: 'count', field: null }] });
      const { rows } = await store.query('t', { kind: 'raw', ...plan, ...page });
      assert.equal((await store.query('t', counted)).matched, rows.length);
      return rows.flat();
    };
    assert.deepEqual(await namesOf({ selection }), ['a', 'b']);
    assert.deepEqual(await namesOf({ selection: { ...selection, includesOwn: true } }), names);
  });

  define(`${name}: a count of everything is one row, and its next page empty`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent(), storedEvent()]);
    const answers = [0, 1].map(async (offset) => {
      const plan = planTable(tableQuestion({ eventName: 'a', mode: 'aggregate', offset }), CONTEXT);
      const { rows, total, matched } = await store.query('t', plan);
      return { rows, total, matched };
    });
    assert.deepEqual(await Promise.all(answers), [
      { rows: [[2, null, false]], total: 1, matched: 2 },
      { rows: [], total: 1, matched: 2 },
    ]);
  });

  define(`${name}: an aborted query rejects, and the store keeps working`, async (t) => {
    const { store } = await opened(t);
    await visible(store, 't', [storedEvent()]);
    await assert.rejects(store.query('t', countOf('a'), AbortSignal.abort()));
    const controller = new AbortController();
    const query = store.query('t', countOf('a'), controller.signal);
    controller.abort();
    await query.catch(() => undefined);
    const counts = await Promise.all(Array.from({ length: 12 }, () => count(store, 't')));
    assert.deepEqual(new Set(counts), new Set([1]));
  });

  define(`${name}: after closing, appends and queries are refused`, async (t) => {
    const { store } = await opened(t);
    await store.close();
    await store.close();
    await assert.rejects(store.append('t', [storedEvent()]), { code: 'unavailable' });
    await assert.rejects(store.query('t', countOf('a')));
  });
}
