import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ReadDate, readDate, resolveRange } from '../../../../src/core/base/time/dates.ts';

/** A Wednesday in UTC, still Tuesday in America. */
const NOW = '2026-11-25T02:30:00Z';

type Row = [phrases: string[], from: string, to: string];

const PERIODS: Row[] = [
  [['this_week', 'this week', 'THIS-WEEK', 'This Week', 'current week'], '2026-11-23', '2026-11-30'],
  [['last_week', 'Last Week', 'previous week', 'lastWeek'], '2026-11-16', '2026-11-23'],
  [['this_month', 'current_month', '2026-11', '2026/11', 'november 2026', 'Nov 2026'], '2026-11-01', '2026-12-01'],
  [['last_month', 'previous-month', '2026-10', 'oct-2026'], '2026-10-01', '2026-11-01'],
  [['this_quarter', '2026-Q4', 'Q4 2026', '2026q4', '2026 Q4', 'q4_2026'], '2026-10-01', '2027-01-01'],
  [['last_quarter', '2026-q3'], '2026-07-01', '2026-10-01'],
  [['this_year', '2026'], '2026-01-01', '2027-01-01'],
  [['last_year', 'previous year', '2025'], '2025-01-01', '2026-01-01'],
  [['2024-02', 'february 2024'], '2024-02-01', '2024-03-01'],
  [['may 2026'], '2026-05-01', '2026-06-01'],
  [['sept 2026'], '2026-09-01', '2026-10-01'],
];
const DAYS: Row[] = [
  [['today', 'Today', 'TODAY'], '2026-11-25', '2026-11-26'],
  [['yesterday', '1 day ago', '2026-11-24', '2026/11/24'], '2026-11-24', '2026-11-25'],
  [['7 days ago', '7_days_ago', '7daysAgo', '1 week ago', '7d ago'], '2026-11-18', '2026-11-19'],
  [['1 month ago'], '2026-10-25', '2026-10-26'],
  [['1 year ago', '12 months ago'], '2025-11-25', '2025-11-26'],
];
const UNTIL_NOW: Row[] = [
  [['wtd', 'week to date', 'week-to-date'], '2026-11-23', NOW],
  [['mtd', 'MTD', 'month to date', 'Month_To_Date'], '2026-11-01', NOW],
  [['qtd', 'quarter to date'], '2026-10-01', NOW],
  [['ytd', 'year to date'], '2026-01-01', NOW],
  [['past hour', 'last hour', 'last 60 minutes', 'past_1h'], '2026-11-25T01:30:00Z', NOW],
  [['past minute', 'last minute', 'last 1 min'], '2026-11-25T02:29:00Z', NOW],
  [['past day', 'last day', 'last 1 day', 'past 24 hours', 'LAST 24H'], '2026-11-24T02:30:00Z', NOW],
  [['last 7 days', 'last_7_days', 'last-7d', 'last7days', 'past week', 'past 1 week', 'last 1 w'], '2026-11-18', NOW],
  [['last 30 days', 'past 30 days', 'LAST_30_DAYS'], '2026-10-26', NOW],
  [['past month', 'last 1 month'], '2026-10-25', NOW],
  [['past quarter', 'last 3 months'], '2026-08-25', NOW],
  [['last 12 months', 'past year', 'last 4 quarters'], '2025-11-25', NOW],
];
const INSTANTS: Row[] = [
  [['now', 'NOW'], NOW, NOW],
  [
    ['-24h', '24h', '-24 hours', 'now-24h', 'now - 24h', '24 hours ago'],
    '2026-11-24T02:30:00Z',
    '2026-11-24T02:30:00Z',
  ],
  [['-90min', '90 minutes', '90 min ago'], '2026-11-25T01:00:00Z', '2026-11-25T01:00:00Z'],
  [['-7d', '7d', '7 days', '-7 days', '-7_DAYS', 'now-7d', 'now - 7d', '-1w', '1 week'], '2026-11-18', '2026-11-18'],
  [['-30d', '30d', '30 days'], '2026-10-26', '2026-10-26'],
  [['-1mo', '-1 month', 'now-1mo', '1mo', '1 MO'], '2026-10-25', '2026-10-25'],
  [['-1y', '-1 year', '-12mo'], '2025-11-25', '2025-11-25'],
  [['2026-03-01T12:00:00Z', '2026-03-01t12:00:00z', '2026/03/01 12:00'], '2026-03-01T12:00Z', '2026-03-01T12:00Z'],
];

const KINDS: [kind: ReadDate['kind'], rows: Row[]][] = [
  ['period', PERIODS],
  ['day', DAYS],
  ['untilNow', UNTIL_NOW],
  ['instant', INSTANTS],
];

function assertRead(row: Row, timezone: string, kind: ReadDate['kind']): void {
  const [phrases, from, to] = row;
  for (const phrase of phrases) {
    const expected = { from: Date.parse(from), to: Date.parse(to), kind };
    assert.deepEqual(readDate(phrase, 'dateFrom', { now: Date.parse(NOW), timezone }), expected, phrase);
  }
}

test('readDate: each form means an instant, a day, a whole period, or until now', () => {
  for (const [kind, rows] of KINDS) for (const row of rows) assertRead(row, 'UTC', kind);
});

test('readDate: blanks around a date do not matter', () => {
  for (const [kind, rows] of KINDS) {
    for (const [phrases, from, to] of rows) {
      assertRead([phrases.map((phrase) => ` ${phrase}\t\n`), from, to], 'UTC', kind);
    }
  }
});

test('readDate: periods and days are those of the time zone', () => {
  const periods: Row[] = [
    [['this_month'], '2026-11-01T03:00Z', '2026-12-01T03:00Z'],
    [['last_year'], '2025-01-01T03:00Z', '2026-01-01T03:00Z'],
    [['november 2018'], '2018-11-01T03:00Z', '2018-12-01T02:00Z'], // daylight saving began on the 4th
  ];
  for (const row of periods) assertRead(row, 'America/Sao_Paulo', 'period');
  const days: Row[] = [
    [['today'], '2026-11-24T03:00Z', '2026-11-25T03:00Z'],
    [['2018-11-04'], '2018-11-04T03:00Z', '2018-11-05T02:00Z'], // has no midnight
  ];
  for (const row of days) assertRead(row, 'America/Sao_Paulo', 'day');
});

test('readDate: periods and days have their own length across DST', () => {
  const periods: Row[] = [
    [['this_week'], '2026-11-23T08:00Z', '2026-11-30T08:00Z'],
    [['last_month'], '2026-10-01T07:00Z', '2026-11-01T07:00Z'],
    [['this_month'], '2026-11-01T07:00Z', '2026-12-01T08:00Z'],
    [['this_quarter'], '2026-10-01T07:00Z', '2027-01-01T08:00Z'],
    [['2026-03'], '2026-03-01T08:00Z', '2026-04-01T07:00Z'],
  ];
  for (const row of periods) assertRead(row, 'America/Los_Angeles', 'period');
  const days: Row[] = [
    [['2026-03-08'], '2026-03-08T08:00Z', '2026-03-09T07:00Z'],
    [['23 days ago'], '2026-11-01T07:00Z', '2026-11-02T08:00Z'],
  ];
  for (const row of days) assertRead(row, 'America/Los_Angeles', 'day');
  const untilNow: Row[] = [
    [['last 30 days'], '2026-10-25T07:00Z', NOW],
    [['mtd'], '2026-11-01T07:00Z', NOW],
  ];
  for (const row of untilNow) assertRead(row, 'America/Los_Angeles', 'untilNow');
  const instants: Row[] = [
    [['-1mo'], '2026-10-24T07:00Z', '2026-10-24T07:00Z'],
    [['-600h'], '2026-10-31T02:30Z', '2026-10-31T02:30Z'],
    [['2024-07-01T12:00'], '2024-07-01T19:00Z', '2024-07-01T19:00Z'],
    [['2024-07-01T12:00:00+05:30'], '2024-07-01T06:30Z', '2024-07-01T06:30Z'],
  ];
  for (const row of instants) assertRead(row, 'America/Los_Angeles', 'instant');
});

test('readDate: what is no date is refused with examples of what is', () => {
  const NO_DATES = [
    ...['', ' ', 'soon', 'to day', 'today\0', '-today', '-last week', 'last', 'last 7', '7', '-7', '-7 days ago'],
    ...[
      '-1.5h',
      'now+7d',
      'now 7d',
      'now-',
      'next week',
      'previous 7 days',
      '5 fortnights',
      'the last week',
      'week',
      'this day',
    ],
    ...[
      'last w',
      'last weeks',
      'last mo',
      'last months',
      'last q',
      'last y',
      'last yr',
      'last h',
      'last min',
      'last hours',
    ],
    ...['past w', 'past mo', 'past months', 'past yr', 'past days', 'past min', 'previous day', 'previous hour'],
    ...['2024-02-30', '2024-13-01', '2026-13', '2026-00', '2026-1', '-2026', '20240101', '202611', '2026-Q5', 'Q4'],
    ...['2026-W48', 'november', 'no 2026', 'novembre 2026', '2024-01-01T25:00:00', '0000', '-99999y', '9999999 weeks'],
    ...['constructor', '__proto__', '7 constructor', '2026-03-08T12:00 01:00', '9'.repeat(500), `${'1 '.repeat(300)}d`],
  ];
  for (const text of NO_DATES) {
    assert.throws(() => readDate(text, 'dateTo', { now: Date.parse(NOW), timezone: 'UTC' }), {
      code: 'invalid',
      message: /^dateTo: ".*" is not a date; use ISO 8601 .*last_week/s,
    });
  }
});

test('readDate: what may be read in two ways is refused, saying both', () => {
  const read = (text: string) => readDate(text, 'filters[0].value', { now: Date.parse(NOW), timezone: 'UTC' });
  for (const text of ['-1m', 'now-1m', 'now-1M', '1m', '1M', 'last 1m', 'past_1_m', '1m ago']) {
    assert.throws(() => read(text), {
      code: 'invalid',
      message: `filters[0].value: "${text}" may be minutes or months; use -1min for minutes or -1mo for months`,
    });
  }
  for (const text of ['11/01/2026', '1/11/26', '01-11-2026', '01.11.2026']) {
    assert.throws(() => read(text), { code: 'invalid', message: /the day or with the month; put the year first/ });
  }
});

const AT = { now: Date.parse(NOW), timezone: 'UTC' };
const utc = (iso: string) => Date.parse(iso);

test('resolveRange: a whole period as dateFrom alone ends itself, others are open', () => {
  for (const [phrases, from, to] of PERIODS) {
    for (const dateFrom of phrases) assert.deepEqual(resolveRange({ dateFrom }, AT), { from: utc(from), to: utc(to) });
  }
  for (const [phrases, from] of [...DAYS, ...UNTIL_NOW, ...INSTANTS]) {
    for (const dateFrom of phrases) assert.deepEqual(resolveRange({ dateFrom }, AT), { from: utc(from), to: null });
  }
});

test('resolveRange: dateTo includes a day and a period, and ends now for the rest', () => {
  const between = (dateFrom: string, dateTo: string) => resolveRange({ dateFrom, dateTo }, AT);
  assert.deepEqual(between('last_month', 'last_month'), { from: utc('2026-10-01'), to: utc('2026-11-01') });
  assert.deepEqual(between('2026-Q1', '2026-Q3'), { from: utc('2026-01-01'), to: utc('2026-10-01') });
  assert.deepEqual(between('last_month', 'now'), { from: utc('2026-10-01'), to: utc(NOW) });
  assert.deepEqual(between('-1mo', 'mtd'), { from: utc('2026-10-25'), to: utc(NOW) });
  assert.deepEqual(between('-14d', 'last 7 days'), { from: utc('2026-11-11'), to: utc(NOW) });
  assert.deepEqual(between('-14d', '-7d'), { from: utc('2026-11-11'), to: utc('2026-11-18') });
  assert.deepEqual(between('-14d', '7 days ago'), { from: utc('2026-11-11'), to: utc('2026-11-19') });
  assert.deepEqual(resolveRange({ dateTo: 'last_week' }, AT), { from: null, to: utc('2026-11-23') });
});

test('resolveRange: a dateTo that ends where dateFrom begins is refused', () => {
  const between = (dateFrom: string, dateTo: string) => resolveRange({ dateFrom, dateTo }, AT);
  for (const [dateFrom, dateTo] of [
    ...[
      ['this_month', '2026-09'],
      ['-24h', '-48h'],
      ['-7d', '2026-11-10T00:00Z'],
      ['2027', 'mtd'],
    ],
    ...[
      ['2026-11-05', '2026-11-04'],
      ['today', 'yesterday'],
      ['2026-11-25T00:00Z', 'yesterday'],
      ['-1d', '2 days ago'],
    ],
    ...[
      ['last_month', '2026-09'],
      ['2026-Q4', 'last_quarter'],
      ['this_week', 'last week'],
    ],
  ] as [string, string][]) {
    const { from } = resolveRange({ dateFrom }, AT);
    const begins = new Date(from!).toISOString();
    assert.throws(() => between(dateFrom, dateTo), {
      code: 'invalid',
      message: `dateTo: lies before dateFrom, which is ${begins}; swap them or correct one`,
    });
  }
});

test('resolveRange: a period that begins today, until yesterday, is empty', () => {
  const first = { ...AT, now: utc('2026-11-01T12:00Z') };
  for (const dateFrom of ['mtd', 'this_month']) {
    const { from, to } = resolveRange({ dateFrom, dateTo: 'yesterday' }, first);
    assert.deepEqual([from, to], [utc('2026-11-01'), utc('2026-11-01')], dateFrom);
  }
});

test('resolveRange: equal instants, and today until now at midnight, are empty', () => {
  const midnight = { ...AT, now: utc('2026-11-25') };
  for (const [dateFrom, dateTo] of [
    ...[
      ['now', 'now'],
      ['-7d', '2026-11-18T00:00Z'],
      ['today', '2026-11-25T00:00Z'],
    ],
    ...[
      ['today', 'mtd'],
      ['today', 'now'],
      ['today', 'last 7 days'],
    ],
  ] as [string, string][]) {
    const { from, to } = resolveRange({ dateFrom, dateTo }, midnight);
    assert.equal(from, to, `${dateFrom} to ${dateTo}`);
  }
  // Samoa skipped this day.
  const skipped = resolveRange({ dateFrom: '2011-12-30', dateTo: '2011-12-30' }, { ...AT, timezone: 'Pacific/Apia' });
  assert.deepEqual(skipped, { from: utc('2011-12-30T10:00Z'), to: utc('2011-12-30T10:00Z') });
});

test('resolveRange: a length of time as dateTo is refused unless it has a minus', () => {
  for (const [dateTo, advice] of [
    ...[
      ['30 days', '-30d'],
      ['7d', '-7d'],
      ['2_WEEKS', '-2w'],
      ['1 month', '-1mo'],
      ['90min', '-90min'],
    ],
    ...[
      ['24 Hours', '-24h'],
      ['3q', '-3q'],
      ['1 yr', '-1y'],
    ],
  ] as [string, string][]) {
    assert.throws(() => resolveRange({ dateFrom: '-5y', dateTo }, AT), {
      code: 'invalid',
      message: `dateTo: "${dateTo}" is a length of time; use ${advice} or a date`,
    });
    assert.deepEqual(resolveRange({ dateFrom: dateTo }, AT), resolveRange({ dateFrom: advice }, AT));
  }
  assert.throws(() => resolveRange({ dateTo: '1m' }, AT), /may be minutes or months/);
  const ends = ['-7d', '-7 days', 'now-7d', 'now - 1 week', '2026-11-18T00:00Z'];
  for (const dateTo of ends) assert.deepEqual(resolveRange({ dateTo }, AT), { from: null, to: utc('2026-11-18') });
});

const ROWS = [...PERIODS, ...DAYS, ...UNTIL_NOW, ...INSTANTS];
const anyPhrase = fc.constantFrom(...ROWS.flatMap(([phrases]) => phrases));
const anyContext = fc.record({
  now: fc.integer({ min: utc('1980-01-01'), max: utc('2080-01-01') }),
  timezone: fc.constantFrom('UTC', 'America/Sao_Paulo', 'America/Los_Angeles', 'Australia/Lord_Howe'),
});

test('readDate: case and the separators of words do not change the meaning', () => {
  const words = anyPhrase.filter((phrase) => /^[a-z0-9]+([ _-][a-z0-9]+)*$/i.test(phrase) && !/^now-/.test(phrase));
  const spelling = fc.record({ separator: fc.constantFrom(' ', '_', '-', '  ', ' - '), upper: fc.boolean() });
  const same = fc.property(words, spelling, anyContext, (phrase, { separator, upper }, context) => {
    const text = phrase.replaceAll(/[ _-]/g, separator);
    const spelled = upper ? text.toUpperCase() : text.toLowerCase();
    assert.deepEqual(readDate(spelled, 'dateFrom', context), readDate(phrase, 'dateFrom', context));
  });
  fc.assert(same);
});

test('resolveRange: a phrase as dateFrom is the range of its ISO instants', () => {
  const iso = (instant: number) => new Date(instant).toISOString();
  const same = fc.property(anyPhrase, anyContext, (phrase, context) => {
    const { from, to } = resolveRange({ dateFrom: phrase }, context);
    const explicit = { dateFrom: iso(from!), dateTo: to === null ? undefined : iso(to) };
    assert.deepEqual(resolveRange(explicit, context), { from, to });
  });
  fc.assert(same);
});

test('docs: each form in the table of dates is accepted', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/events.md'), 'utf8');
  const [, table = ''] = /\| form \|[^\n]*\n\|[^\n]*\n((?:\|[^\n]*\n)+)/.exec(page) ?? [];
  const forms = table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)]);
  assert.ok(forms.length > 20, `${forms.length} forms`);
  for (const [, form] of forms) readDate(form!, 'dateFrom', AT);
});
