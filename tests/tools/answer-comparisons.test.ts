import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TICKETS } from './answer-support.ts';
import { workspace } from './support.ts';

test('rate: over nothing it is null with counts 0; over another event it is a ratio', async () => {
  const { aggregate } = await workspace([
    ...TICKETS,
    { eventName: 'ticket_closed', timestamp: '2026-03-04T13:00:00Z' },
  ]);
  const resolved = { numerator: { filters: [{ propertyKey: 'resolved', operator: 'eq', value: true }] } };
  const nothing = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'rate',
    ...resolved,
    dateFrom: '2020-01-01',
    dateTo: '2020-12-31',
  });
  assert.deepEqual([nothing.value, nothing.numerator, nothing.denominator], [null, 0, 0]);
  assert.match(nothing.note, /last seen/);
  const across = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'rate',
    numerator: { eventName: 'ticket_closed' },
  });
  assert.deepEqual([across.value, across.numerator, across.denominator], [0.2, 1, 5]);
  assert.equal(across.basis.matchedEvents, 5);
  assert.match(
    across.note,
    /^A ratio of "ticket_closed" to "ticket_opened": of different events, so it may exceed 1\./,
  );
  const same = await aggregate({ eventName: 'ticket_opened', aggregation: 'rate', ...resolved });
  assert.equal(same.note, undefined);
  const upsideDown = await aggregate({
    eventName: 'ticket_closed',
    aggregation: 'rate',
    numerator: { eventName: 'ticket_opened' },
  });
  assert.equal(upsideDown.value, 5);
  assert.match(upsideDown.note, /^A ratio of "ticket_opened" to "ticket_closed": of different events/);
});

test('rate: a numerator of an unknown event is explained, not a silent 0', async () => {
  const { aggregate } = await workspace([...TICKETS, { eventName: 'ticket_closed' }]);
  const { value, note } = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'rate',
    numerator: { eventName: 'ticket_close' },
  });
  assert.equal(value, 0);
  assert.match(note ?? '', /No event named "ticket_close".*"ticket_closed"/);
});

test('rate: an unknown denominator does not blame the known numerator', async () => {
  const { aggregate } = await workspace(TICKETS);
  const { note } = await aggregate({
    eventName: 'ticket_opend',
    aggregation: 'rate',
    numerator: { eventName: 'ticket_opened' },
  });
  assert.match(note, /No event named "ticket_opend"/);
  assert.doesNotMatch(note, /No event matched\. "ticket_opened"/);
});

test('compareTo: each group is compared with itself, "other" with nothing', async () => {
  const sale = (day: number, plan: string | undefined, amount: number) => ({
    eventName: 'sale',
    timestamp: `2026-03-0${day}T12:00:00Z`,
    properties: { amount, ...(plan ? { plan } : {}) },
  });
  const { aggregate } = await workspace([
    ...[sale(1, 'pro', 10), sale(2, 'pro', 20), sale(2, 'free', 5), sale(2, undefined, 1), sale(1, 'gone', 50)],
    ...[sale(3, 'pro', 40), sale(4, 'new', 30), sale(4, 'free', 2), sale(4, undefined, 3)],
  ]);
  const question = { eventName: 'sale', dateFrom: '2026-03-03', dateTo: '2026-03-04', compareTo: 'previous_period' };
  const sums = await aggregate({
    ...{ ...question, group_by: 'plan', limit: 3 },
    ...{ aggregation: 'sum', propertyKey: 'amount' },
  });
  assert.deepEqual(sums.previous, {
    ...{ value: 86, change: -11, changeRatio: -0.127906976744186 },
    ...{ from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' },
  });
  assert.deepEqual(sums.groups, [
    { group: 'pro', value: 40, previous: { value: 30, change: 10, changeRatio: 0.333333333333333 } },
    { group: 'new', value: 30, previous: { value: null, change: null, changeRatio: null } },
    { group: null, value: 3, previous: { value: 1, change: 2, changeRatio: 2 } },
    { group: 'other', value: 2 },
  ]);
  const counts = await aggregate({ ...question, aggregation: 'count', group_by: 'plan' });
  assert.deepEqual(counts.groups.slice(0, 2), [
    { group: 'free', value: 1, previous: { value: 1, change: 0, changeRatio: 0 } },
    { group: 'new', value: 1, previous: { value: 0, change: 1, changeRatio: null } },
  ]);
  assert.deepEqual(counts.groups.at(-1), {
    ...{ group: 'gone', value: 0 },
    previous: { value: 1, change: -1, changeRatio: -1 },
  });
});
