import assert from 'node:assert/strict';
import { test } from 'node:test';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { testApp } from '../support/app.ts';
import { answerOf, workspace } from './support.ts';

const event = (threadId: string | undefined, timestamp: string, eventName = 'visit', properties = {}) => {
  return { threadId, timestamp, eventName, properties };
};

type Row = Record<string, unknown>;

/** `[cohort, size, period_0, ...]` of each row. */
const gridOf = ({ rows, columns }: { rows: Row[]; columns: { key: string }[] }) =>
  rows.map((row) => columns.map(({ key }) => row[key]));

const VISITS = { eventName: 'visit', mode: 'retention', dateGrouping: 'day', periods: 2 };

test('retention: what has not begun is null, and a note names what is not over', async (t) => {
  const app = await testApp(t, {}, { ...realEffects, now: () => Date.parse('2026-03-04T22:30:00Z') });
  const client = await app.mcpClient();
  await app.ingest([
    ...['2026-03-02', '2026-03-03', '2026-03-04'].map((day) => event('a', `${day}T12:00:00Z`)),
    event('b', '2026-03-04T12:00:00Z'),
    event('c', '2026-03-05T10:00:00Z', 'ahead'),
  ]);
  const ask = async (more: object) =>
    answerOf(await client.callTool({ name: 'query_events', arguments: { ...VISITS, ...more } })).data;
  const grid = [
    ['2026-03-02', 1, 0, 1, 1, null],
    ['2026-03-03', 0, 0, 0, null, null],
    ['2026-03-04', 1, 0, null, null, null],
  ];
  const days = { periods: 3, dateFrom: '2026-03-02' };
  const note = 'The day of 2026-03-04 is not over, so its counts may still grow; null is a period that has not begun.';
  for (const dateTo of [undefined, 'this_month', '2030-01-01']) {
    const answer = await ask({ ...days, dateTo });
    assert.deepEqual(gridOf(answer), grid, dateTo);
    assert.ok(answer.note.startsWith(note), answer.note);
  }
  const weeks = await ask({ periods: 1, dateGrouping: 'week' });
  assert.deepEqual(gridOf(weeks), [['2026-03-02', 2, 1, null]]);
  assert.match(weeks.note, /^The week of 2026-03-02 is not over/);
  const over = await ask({ periods: 1, dateFrom: '2026-03-02', dateTo: '2026-03-02' });
  assert.deepEqual([gridOf(over), over.note.startsWith('The day')], [[['2026-03-02', 1, 0, 1]], false]);
  // Timestamps may be ahead of now.
  assert.deepEqual(gridOf(await ask({ ...days, eventName: 'ahead', dateFrom: undefined })), [
    ['2026-03-05', 1, null, null, null, null],
  ]);
});

const SHOP = [
  event('a', '2025-06-02T10:00:00Z', 'signed_up', { plan: 'pro', user: 'u1' }),
  event('a', '2025-06-02T10:00:00Z', 'ordered', { plan: 'pro', user: 'u1' }), // not later
  event('a', '2025-06-10T10:00:00Z', 'ordered', { user: 'u2' }),
  event('b', '2025-06-03T10:00:00Z', 'signed_up', { plan: 'free', user: 'u2' }),
  event('b', '2025-06-09T10:00:00Z', 'signed_up', { plan: 'pro', user: 'u2' }),
  event('b', '2025-06-17T10:00:00Z', 'asked', { user: 'u1' }),
  event(undefined, '2025-06-03T10:00:00Z', 'signed_up', { plan: 'pro', user: null }),
];
const SIGN_UPS = {
  ...{ eventName: 'signed_up', mode: 'retention', periods: 2 },
  ...{ dateFrom: '2025-06-02', dateTo: '2025-06-15' },
};

test('retention: the first event in the range sets the cohort, returns are later', async () => {
  const { query } = await workspace(SHOP);
  const grid = async (more: object) => gridOf(await query({ ...SIGN_UPS, ...more }));
  const second = ['2025-06-09', 0, 0, 0, 0];
  assert.deepEqual(await grid({}), [['2025-06-02', 2, 0, 1, 0], second]);
  assert.deepEqual(await grid({ returned: { eventName: 'ordered' } }), [['2025-06-02', 2, 0, 1, 0], second]);
  // Returns may come after the range.
  assert.deepEqual(await grid({ returned: { eventName: 'asked' } }), [['2025-06-02', 2, 0, 0, 1], second]);
  assert.deepEqual(await grid({ returned: { eventName: '*' } }), [['2025-06-02', 2, 0, 2, 1], second]);
  // Of the first event alone, of the return alone, of both.
  const pro = [{ propertyKey: 'plan', operator: 'eq', value: 'pro' }];
  assert.deepEqual(await grid({ start: { filters: pro }, returned: { eventName: '*' } }), [
    ['2025-06-02', 1, 0, 1, 0],
    ['2025-06-09', 1, 0, 1, 0],
  ]);
  assert.deepEqual(await grid({ returned: { filters: pro } }), [['2025-06-02', 2, 0, 1, 0], second]);
  assert.deepEqual(await grid({ filters: pro, returned: { eventName: '*' } }), [
    ['2025-06-02', 1, 0, 0, 0],
    ['2025-06-09', 1, 0, 0, 0],
  ]);
  assert.deepEqual(await grid({ by: 'user', returned: { eventName: '*' } }), [['2025-06-02', 2, 0, 1, 1], second]);
  // A start after the range makes no member, even in a cohort of the range.
  assert.deepEqual(await grid({ dateTo: '2025-06-02' }), [['2025-06-02', 1, 0, 0, 0]]);
  // A range that begins later makes a returning actor new.
  assert.deepEqual(await grid({ dateFrom: '2025-06-09' }), [['2025-06-09', 1, 0, 0, 0]]);
});

test('retention: the basis has the definitions, and pages go through the cohorts', async () => {
  const { query } = await workspace(SHOP);
  const start = { filters: [{ propertyKey: 'plan', operator: 'exists' }] };
  const answer = await query({ ...SIGN_UPS, start, returned: { eventName: 'ordered' }, limit: 1 });
  assert.deepEqual(answer.basis.retention, {
    start: { eventName: 'signed_up', ...start },
    returned: { eventName: 'ordered', filters: [] },
    ...{ by: 'threadId', dateGrouping: 'week', periods: 2 },
  });
  const { eventName, matchedEvents, lastEventAt } = answer.basis;
  assert.deepEqual([eventName, matchedEvents, lastEventAt], ['signed_up', 4, '2025-06-09T10:00:00.000Z']);
  assert.deepEqual([answer.total, answer.nextOffset, answer.rows.length], [2, 1, 1]);
  const next = await query({ ...SIGN_UPS, offset: 1 });
  assert.deepEqual([next.rows[0].cohort, next.nextOffset], ['2025-06-09', undefined]);
});

test('retention: notes say which names are unknown, and that no event has the key', async () => {
  const { query } = await workspace(SHOP);
  const noteOf = async (more: object) => (await query({ ...SIGN_UPS, ...more })).note;
  assert.match(await noteOf({ returned: { eventName: 'order' } }), /No event named "order".*"ordered"/);
  assert.match(await noteOf({ eventName: 'signup' }), /No event named "signup".*"signed_up"/);
  assert.match(await noteOf({ by: 'userid' }), /No property "userid" is known on "signed_up".*"user"/);
  assert.match(await noteOf({ by: 'executionId' }), /none of the 4 starting events has a value of "executionId"/);
  assert.doesNotMatch(await noteOf({ returned: { eventName: '*' } }), /No event/);
});

test('retention: members of other modes and too many cohorts are refused with a remedy', async () => {
  const { call } = await workspace(SHOP);
  const refusals: [object, RegExp][] = [
    [{ columns: ['plan'] }, /columns: not for mode retention/],
    [{ groupBy: 'plan' }, /groupBy: not for mode retention/],
    [{ metrics: [{ aggregation: 'count', alias: 'n' }] }, /metrics: not for mode retention/],
    [{ sortBy: 'size' }, /sortBy: not for mode retention/],
    [{ sortOrder: 'asc' }, /sortOrder: not for mode retention/],
    [{ mode: 'raw', returned: { eventName: 'ordered' } }, /returned: only for mode retention; add "mode": "retention"/],
    [{ mode: 'aggregate', periods: undefined, by: 'user' }, /by: only for mode retention/],
    [{ mode: 'raw', periods: undefined, dateGrouping: 'day' }, /dateGrouping: only for .* aggregate_events/],
    [{ dateGrouping: 'hourly' }, /dateGrouping: must be one of day/],
    [{ start: { eventName: 'ordered' } }, /start\.eventName.*eventName of the question/],
    [{ returned: { event: 'ordered' } }, /returned\.event.*did you mean eventName/],
    [
      { returned: { filters: [{ propertyKey: 'a', operator: 'startsWith', value: 1 }] } },
      /returned\.filters\[0\]\.value/,
    ],
    [{ start: { filters: [{ propertyKey: 'a', operator: 'gt', value: true }] } }, /start\.filters\[0\]\.value/],
    [{ returnEvent: 'ordered' }, /did you mean returned/],
    [{ totalIntervals: 7 }, /did you mean periods/],
    [
      { dateGrouping: 'day', dateFrom: '2020-01-01' },
      /dateGrouping: the range holds more than 1000 buckets by day; use week/,
    ],
    [{ eventName: 'runtime.tool_called', returned: { eventName: '*' } }, /returned\.eventName: "\*" leaves out/],
    [{ timezone: 'Mars' }, /timezone/],
  ];
  for (const [more, expected] of refusals) {
    const answer = await call('query_events', { ...SIGN_UPS, dateTo: undefined, ...more });
    assert.ok(answer.isError, JSON.stringify(more));
    assert.match(answer.text, expected);
  }
});

test('retention: neither another tenant nor another agent adds an actor', async () => {
  const [{ query }, other] = await Promise.all([workspace(SHOP), workspace()]);
  assert.equal((await other.query(SIGN_UPS)).basis.matchedEvents, 0);
  assert.deepEqual(gridOf(await other.query({ ...SIGN_UPS, dateTo: '2025-06-08' })), [['2025-06-02', 0, 0, 0, 0]]);
  assert.equal((await query({ ...SIGN_UPS, agentId: 'nobody' })).basis.matchedEvents, 0);
});
