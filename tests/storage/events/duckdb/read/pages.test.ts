import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../../../../src/core/analytics/events/predicates.ts';
import type { RawPlan } from '../../../../../src/core/analytics/events/query-plan.ts';
import { storedEvent } from '../../../../contracts/event-store.ts';
import { openStore } from './open-store.ts';

const EVENTS = 150;
const LIST = Array.from({ length: 30_000 }, (_, at) => at % 10);

const plan: RawPlan = {
  kind: 'raw',
  selection: { agentId: null, eventNames: ['large'], from: null, to: null, predicates: [] },
  columns: [fieldOf('id'), { kind: 'properties' }],
  shownAs: ['id', 'properties'],
  sort: { field: fieldOf('timestamp'), descending: true },
  limit: 100,
  offset: 0,
};

test('DuckdbEventStore: pages of the largest events at once fit into little memory', async (t) => {
  const store = await openStore(t, { memoryLimit: 200e6 });
  for (let at = 0; at < EVENTS; at += 50) {
    const events = Array.from({ length: 50 }, (_, index) => {
      const n = at + index;
      const properties = JSON.stringify({ n, list: LIST });
      return storedEvent({ id: `event-${n}`, eventName: 'large', timestamp: n, properties });
    });
    await store.append('t', events);
  }
  await store.settle();
  const offsets = [0, 20, 50];
  const pages = await Promise.all(offsets.map((offset) => store.query('t', { ...plan, offset })));
  for (const [index, { rows }] of pages.entries()) {
    const first = EVENTS - 1 - offsets[index]!;
    assert.deepEqual(
      rows.map(([text]) => (JSON.parse(text as string) as { id: string }).id),
      Array.from({ length: 100 }, (_, at) => `event-${first - at}`),
    );
  }
  const byField = {
    ...plan,
    columns: [fieldOf('n')],
    shownAs: ['n'],
    sort: { field: fieldOf('n'), descending: false },
  };
  const { rows } = await store.query('t', { ...byField, limit: EVENTS });
  assert.deepEqual(
    rows.map(([text]) => text),
    Array.from({ length: EVENTS }, (_, at) => `{"n":${at}}`),
  );
});
