import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { testApp } from '../support/app.ts';
import { bytesOf, MAX_BYTES, TICKETS } from './answer-support.ts';
import { answerOf, workspace } from './support.ts';

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

test('series: buckets that begin after now get a note', async (t) => {
  const app = await testApp(t, {}, { ...realEffects, now: () => Date.parse('2026-03-04T22:30:00Z') });
  const client = await app.mcpClient();
  await app.ingest([...TICKETS, { eventName: 'ahead', timestamp: '2026-03-05T10:00:00Z' }]);
  const noteOf = async (range: object, eventName = 'ticket_opened') => {
    const asked = { eventName, aggregation: 'count', ...range };
    const { data } = answerOf(await client.callTool({ name: 'aggregate_events', arguments: asked }));
    return data.note;
  };
  const future = (to: string, after = 'now') =>
    `The range ends in the future, at ${to}: buckets after ${after} are empty.`;
  const year = { dateFrom: 'this_year' };
  assert.equal(await noteOf({ ...year, dateGrouping: 'day' }), future('2027-01-01T00:00:00.000Z'));
  assert.equal(await noteOf({ ...year, dateGrouping: 'quarter' }), future('2027-01-01T00:00:00.000Z'));
  assert.equal(
    await noteOf({ dateFrom: 'today', dateTo: 'today', dateGrouping: 'hour' }),
    future('2026-03-05T00:00:00.000Z'),
  );
  const grouped = await noteOf({ dateFrom: 'this_month', dateGrouping: 'week', group_by: 'plan' });
  assert.ok(grouped.endsWith(future('2026-04-01T00:00:00.000Z')), grouped);
  assert.equal(
    await noteOf({ dateFrom: 'this_week', dateGrouping: 'day' }, 'ahead'),
    future('2026-03-09T00:00:00.000Z', 'the last event'),
  );
  for (const withoutLater of [
    year,
    { ...year, dateGrouping: 'year' },
    { ...year, dateTo: 'now', dateGrouping: 'day' },
    { dateFrom: '-7d', dateTo: 'today', dateGrouping: 'day' },
    { dateFrom: 'this_week', dateGrouping: 'week' },
    { dateFrom: '-7d', dateGrouping: 'hour' },
    { dateFrom: 'today', dateTo: '2026-03-04T23:00Z', dateGrouping: 'hour' },
  ]) {
    assert.equal(await noteOf(withoutLater), undefined, JSON.stringify(withoutLater));
  }
});

test('groups: those beyond the top are one "other", computed from its events', async () => {
  const sales = [
    ...Array.from({ length: 4 }, () => ({ eventName: 'sale', properties: { shop: 'a', amount: 100, buyer: 'x' } })),
    ...Array.from({ length: 3 }, () => ({ eventName: 'sale', properties: { shop: 'b', amount: 90, buyer: 'y' } })),
    { eventName: 'sale', properties: { shop: 'c', amount: 10, buyer: 'x' } },
    { eventName: 'sale', properties: { shop: 'c', amount: 10, buyer: 'z' } },
    { eventName: 'sale', properties: { shop: 'd', amount: 40, buyer: 'z' } },
  ];
  const { aggregate } = await workspace(sales);
  const top = { eventName: 'sale', group_by: 'shop', limit: 2 };
  const counts = await aggregate({ ...top, aggregation: 'count' });
  assert.deepEqual(counts.groups, [
    { group: 'a', value: 4 },
    { group: 'b', value: 3 },
    { group: 'other', value: 3 },
  ]);
  assert.match(counts.truncated, /^The top 2 of 4 groups; "other", the last,/);
  const averages = await aggregate({ ...top, aggregation: 'avg', propertyKey: 'amount' });
  // Of the three events: (10 + 10 + 40) / 3, not the average of the two groups' averages.
  assert.deepEqual(averages.groups.at(-1), { group: 'other', value: 20 });
  const buyers = await aggregate({ ...top, aggregation: 'distinct_count', propertyKey: 'buyer', limit: 1 });
  assert.equal(buyers.groups.at(-1).group, 'other');
  const all = await aggregate({ ...top, aggregation: 'count', limit: 4 });
  assert.equal(all.groups.length, 4);
  assert.equal('truncated' in all, false);
});

test('groups: a list that does not fit is cut with an exact sentence', async () => {
  const { aggregate } = await workspace(
    Array.from({ length: 400 }, (_, index) => ({ eventName: 'g', properties: { key: `${index}`.padEnd(200, '-') } })),
  );
  const answer = await aggregate({ eventName: 'g', aggregation: 'count', group_by: 'key', limit: 300 });
  assert.ok(bytesOf(answer) <= MAX_BYTES);
  assert.ok(answer.groups.length < 300);
  assert.match(answer.truncated, new RegExp(`Only the first ${answer.groups.length} of 301 groups fit`));
  // "other" was cut too.
  assert.notEqual(answer.groups.at(-1).group, 'other');
  assert.doesNotMatch(answer.truncated, /"other", the last/);
});

test('series: a long one is cut at 40 KB and says how many points there are', async () => {
  const { call } = await workspace(TICKETS);
  const { data: answer, text } = await call('aggregate_events', {
    eventName: 'ticket_opened',
    aggregation: 'count',
    dateGrouping: 'hour',
    group_by: 'plan',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
  });
  assert.ok(bytesOf(answer) <= MAX_BYTES);
  assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`);
  const total = 30 * 24 * 4;
  assert.match(answer.truncated, new RegExp(`Only the first ${answer.series.length} of ${total} points fit`));
});

test('series: more than a thousand buckets are refused with advice', async () => {
  const { call } = await workspace(TICKETS);
  const answer = await call('aggregate_events', {
    eventName: 'ticket_opened',
    aggregation: 'count',
    dateGrouping: 'hour',
    dateFrom: '2020-01-01',
  });
  assert.equal(answer.isError, true);
  assert.match(answer.text, /dateGrouping: .*1000 buckets by hour; use week or narrow/);
});

test('aggregate_events, query_events: a limit above the maximum is capped', async () => {
  const { aggregate, query } = await workspace(TICKETS);
  const { groups } = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'count',
    group_by: 'plan',
    limit: 501,
  });
  assert.equal(groups.length, 4);
  assert.equal((await query({ eventName: 'ticket_opened', limit: 501 })).rows.length, 5);
});
