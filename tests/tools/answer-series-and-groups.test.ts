import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { testApp } from '../support/app.ts';
import { bytesOf, MAX_BYTES, TICKETS, ticket } from './answer-support.ts';
import { answerOf, workspace } from './support.ts';

test('series: has every bucket of the range, empty ones too, across DST', async () => {
  const { aggregate } = await workspace([
    ticket('2026-03-07T12:00:00-05:00', { minutes: 1 }),
    // One second before local midnight, and the first of the next day; the clocks go forward at 2:00 on the 8th.
    ticket('2026-03-08T23:59:59-04:00', { minutes: 2 }),
    ticket('2026-03-09T00:00:00-04:00', { minutes: 4 }),
  ]);
  const base = {
    eventName: 'ticket_opened',
    dateFrom: '2026-03-06',
    dateTo: '2026-03-10',
    timezone: 'America/New_York',
    dateGrouping: 'day',
  };
  const { series } = await aggregate({ ...base, aggregation: 'count' });
  assert.deepEqual(series, [
    { bucket: '2026-03-06T00:00:00-05:00', value: 0 },
    { bucket: '2026-03-07T00:00:00-05:00', value: 1 },
    { bucket: '2026-03-08T00:00:00-05:00', value: 1 },
    { bucket: '2026-03-09T00:00:00-04:00', value: 1 },
    { bucket: '2026-03-10T00:00:00-04:00', value: 0 },
  ]);
  const sums = await aggregate({ ...base, aggregation: 'sum', propertyKey: 'minutes' });
  assert.deepEqual(
    sums.series.map((point: { value: number | null }) => point.value),
    [null, 1, 2, 4, null],
  );
  const hours = await aggregate({
    ...base,
    aggregation: 'count',
    dateGrouping: 'hour',
    dateFrom: '2026-03-08',
    dateTo: '2026-03-08',
  });
  assert.equal(hours.series.length, 23);
});

test('series: without dateFrom it begins with the first event, weeks on Monday', async () => {
  const { aggregate } = await workspace(TICKETS);
  const { series } = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'count',
    dateGrouping: 'week',
    dateTo: '2026-03-15',
  });
  assert.deepEqual(series, [
    { bucket: '2026-02-23T00:00:00+00:00', value: 1 },
    { bucket: '2026-03-02T00:00:00+00:00', value: 4 },
    { bucket: '2026-03-09T00:00:00+00:00', value: 0 },
  ]);
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

test('series by group: every bucket for every group, "other" last', async () => {
  const { aggregate } = await workspace(TICKETS);
  const { series, truncated } = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'count',
    group_by: 'plan',
    limit: 1,
    dateGrouping: 'day',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-02',
  });
  assert.deepEqual(series, [
    { bucket: '2026-03-01T00:00:00+00:00', group: 'pro', value: 1 },
    { bucket: '2026-03-02T00:00:00+00:00', group: 'pro', value: 1 },
    { bucket: '2026-03-01T00:00:00+00:00', group: 'other', value: 0 },
    { bucket: '2026-03-02T00:00:00+00:00', group: 'other', value: 1 },
  ]);
  assert.match(truncated, /The top 1 of 2 groups/);
});

test('groups: several keys give objects, and an absent value is null', async () => {
  const { aggregate, query } = await workspace(TICKETS);
  const keys = ['plan', 'resolved'];
  const { groups } = await aggregate({ eventName: 'ticket_opened', aggregation: 'count', group_by: keys });
  assert.deepEqual(groups, [
    { group: { plan: 'pro', resolved: true }, value: 2 },
    { group: { plan: 'free', resolved: false }, value: 1 },
    { group: { plan: 'team', resolved: false }, value: 1 },
    { group: { plan: null, resolved: true }, value: 1 },
  ]);
  const table = await query({
    eventName: 'ticket_opened',
    mode: 'aggregate',
    groupBy: keys,
    metrics: [
      { aggregation: 'count', alias: 'tickets' },
      { aggregation: 'max', propertyKey: 'minutes', alias: 'longest' },
    ],
  });
  assert.deepEqual(table.rows[0], { plan: 'pro', resolved: true, tickets: 2, longest: 30 });
  assert.deepEqual(table.rows[3], { plan: null, resolved: true, tickets: 1, longest: null });
  assert.deepEqual(
    table.columns.map((column: { key: string }) => column.key),
    ['plan', 'resolved', 'tickets', 'longest'],
  );
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
  const { aggregate } = await workspace(TICKETS);
  const answer = await aggregate({
    eventName: 'ticket_opened',
    aggregation: 'count',
    dateGrouping: 'hour',
    group_by: 'plan',
    dateFrom: '2026-03-01',
    dateTo: '2026-03-30',
  });
  assert.ok(bytesOf(answer) <= MAX_BYTES);
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
