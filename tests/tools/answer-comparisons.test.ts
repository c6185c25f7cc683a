import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARCH, TICKETS } from './answer-support.ts';
import { workspace } from './support.ts';

test('rate: comes with its two counts, overall, by group and by bucket', async () => {
  const { aggregate } = await workspace(TICKETS);
  const rate = {
    eventName: 'ticket_opened',
    aggregation: 'rate',
    numerator: { filters: [{ propertyKey: 'resolved', operator: 'eq', value: true }] },
  };
  const overall = await aggregate(rate);
  assert.deepEqual([overall.value, overall.numerator, overall.denominator], [0.6, 3, 5]);
  assert.equal(overall.basis.matchedEvents, 5);
  const { groups } = await aggregate({ ...rate, group_by: 'plan' });
  assert.deepEqual(groups, [
    { group: 'pro', value: 1, numerator: 2, denominator: 2 },
    { group: null, value: 1, numerator: 1, denominator: 1 },
    { group: 'free', value: 0, numerator: 0, denominator: 1 },
    { group: 'team', value: 0, numerator: 0, denominator: 1 },
  ]);
  const { series } = await aggregate({ ...rate, ...MARCH, dateGrouping: 'day' });
  assert.deepEqual(series, [
    { bucket: '2026-03-01T00:00:00+00:00', value: 1, numerator: 1, denominator: 1 },
    { bucket: '2026-03-02T00:00:00+00:00', value: 0.5, numerator: 1, denominator: 2 },
    { bucket: '2026-03-03T00:00:00+00:00', value: null, numerator: 0, denominator: 0 },
    { bucket: '2026-03-04T00:00:00+00:00', value: 0.5, numerator: 1, denominator: 2 },
  ]);
});

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

test('compareTo: the previous period has the same length and ends at dateFrom', async () => {
  const { aggregate } = await workspace(TICKETS);
  const compare = { eventName: 'ticket_opened', compareTo: 'previous_period' };
  const count = await aggregate({ ...compare, aggregation: 'count', dateFrom: '2026-03-03', dateTo: '2026-03-04' });
  assert.equal(count.value, 2);
  const firstTwoDays = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-03T00:00:00.000Z' };
  assert.deepEqual(count.previous, { value: 3, change: -1, changeRatio: -0.333333333333333, ...firstTwoDays });
  const sum = await aggregate({
    ...compare,
    aggregation: 'sum',
    propertyKey: 'minutes',
    dateFrom: '2026-03-03',
    dateTo: '2026-03-04',
  });
  assert.deepEqual([sum.value, sum.previous.value, sum.previous.change], [40, 60, -20]);
  const fromZero = await aggregate({ ...compare, aggregation: 'count', dateFrom: '2026-03-01', dateTo: '2026-03-01' });
  const dayBefore = { from: '2026-02-28T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };
  assert.deepEqual(fromZero.previous, { value: 0, change: 1, changeRatio: null, ...dayBefore });
  const fromNothing = await aggregate({
    ...compare,
    aggregation: 'avg',
    propertyKey: 'minutes',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-01',
  });
  assert.deepEqual(fromNothing.previous, { value: null, change: null, changeRatio: null, ...dayBefore });
  const rate = await aggregate({
    ...compare,
    aggregation: 'rate',
    numerator: { filters: [{ propertyKey: 'resolved', operator: 'eq', value: true }] },
    dateFrom: '2026-03-03',
    dateTo: '2026-03-04',
  });
  assert.equal(rate.value, 0.5);
  assert.equal(rate.previous.value, 0.666666666666667);
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
  const question = { eventName: 'sale', dateFrom: '2026-03-03', dateTo: '2026-03-04', group_by: 'plan' };
  const sums = await aggregate({
    ...{ ...question, compareTo: 'previous_period', limit: 3 },
    ...{ aggregation: 'sum', propertyKey: 'amount' },
  });
  assert.deepEqual(sums.groups, [
    { group: 'pro', value: 40, previous: { value: 30, change: 10, changeRatio: 0.333333333333333 } },
    { group: 'new', value: 30, previous: { value: null, change: null, changeRatio: null } },
    { group: null, value: 3, previous: { value: 1, change: 2, changeRatio: 2 } },
    { group: 'other', value: 2 },
  ]);
  const counts = await aggregate({ ...question, compareTo: 'previous_period', aggregation: 'count', limit: 2 });
  assert.deepEqual(counts.groups.slice(0, 2), [
    { group: 'free', value: 1, previous: { value: 1, change: 0, changeRatio: 0 } },
    { group: 'new', value: 1, previous: { value: 0, change: 1, changeRatio: null } },
  ]);
  const byDay = await aggregate({
    ...question,
    compareTo: 'previous_period',
    aggregation: 'count',
    dateGrouping: 'day',
  });
  assert.equal(byDay.previous.value, 5);
  assert.ok(byDay.series.every((point: object) => !('previous' in point)));
});

test('compareTo: a group that only the previous period had is listed', async () => {
  const failed = (day: number, reason: string) => ({
    eventName: 'failed',
    timestamp: `2026-03-0${day}T12:00:00Z`,
    properties: { reason },
  });
  const { aggregate } = await workspace([
    ...Array(5).fill(failed(1, 'timeout')),
    failed(2, 'quota'),
    failed(3, 'quota'),
  ]);
  const { value, previous, groups } = await aggregate({
    ...{ eventName: 'failed', aggregation: 'count', group_by: 'reason', compareTo: 'previous_period' },
    ...{ dateFrom: '2026-03-03', dateTo: '2026-03-04' },
  });
  assert.deepEqual([value, previous.value], [1, 6]);
  assert.deepEqual(groups, [
    { group: 'quota', value: 1, previous: { value: 1, change: 0, changeRatio: 0 } },
    { group: 'timeout', value: 0, previous: { value: 5, change: -5, changeRatio: -1 } },
  ]);
});

test('decimals: values, changes, series and tables are those of decimal arithmetic', async () => {
  const paid = (day: number, plan: string, amount: number) => ({
    eventName: 'paid',
    timestamp: `2026-03-0${day}T12:00:00Z`,
    properties: { plan, amount },
  });
  const { aggregate, query } = await workspace([
    ...[paid(1, 'pro', 100.1), paid(2, 'pro', 0.1), paid(2, 'pro', 0.2)],
    ...[paid(3, 'pro', 100.3), paid(3, 'free', 0.3), paid(4, 'pro', 0.1), paid(4, 'pro', 0.2)],
  ]);
  const sum = { eventName: 'paid', aggregation: 'sum', propertyKey: 'amount' };
  const days = { dateFrom: '2026-03-03', dateTo: '2026-03-04', compareTo: 'previous_period' };
  const { value, previous, groups } = await aggregate({ ...sum, ...days, group_by: 'plan' });
  assert.deepEqual([value, previous.value, previous.change], [100.9, 100.4, 0.5]);
  assert.equal(previous.changeRatio, 0.0049800796812749);
  assert.deepEqual(groups[0], {
    group: 'pro',
    value: 100.6,
    previous: { value: 100.4, change: 0.2, changeRatio: 0.00199203187250996 },
  });
  const { series } = await aggregate({ ...sum, ...MARCH, dateGrouping: 'day' });
  assert.deepEqual(
    series.map((point: { value: number }) => point.value),
    [100.1, 0.3, 100.6, 0.3],
  );
  const metrics = ['sum', 'avg'].map((aggregation) => ({ aggregation, propertyKey: 'amount', alias: aggregation }));
  const { rows } = await query({ eventName: 'paid', mode: 'aggregate', metrics, dateTo: '2026-03-02' });
  assert.deepEqual(rows, [{ sum: 100.4, avg: 33.4666666666667 }]);
});
