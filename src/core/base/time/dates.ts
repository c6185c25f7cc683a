import { Temporal } from 'temporal-polyfill';
import { invalid } from '../shared/errors.ts';
import { formatUtc, localDate, startOfDay, startOfUnit, UNIT_LENGTH } from './time.ts';

export interface DateContext {
  now: number;
  timezone: string;
}

/** The meaning of a text at either end of a range, in epoch milliseconds. */
export interface ReadDate {
  /** The meaning as `dateFrom`, included. */
  from: number;
  /** The meaning as `dateTo`, not included; a day or a period includes itself. */
  to: number;
  /** A period is a week, month, quarter or year: alone as `dateFrom` it also ends the range. */
  kind: 'instant' | 'day' | 'period' | 'untilNow';
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** Without an offset: in the context's zone. Throws `invalid`, which names the field. */
export function readDate(text: string, field: string, context: DateContext): ReadDate {
  const words = wordsOf(text);
  const date = readForm(lowerOf(text), words, context);
  if (date && date.from >= EARLIEST) return date;
  throw invalid(`${field}: "${text}" ${refusalOf(words)}`);
}

/**
 * Null is open. Throws `invalid` when `dateTo` is earlier, or a day or period that ends where
 * `dateFrom` begins.
 */
export function resolveRange(
  { dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined },
  context: DateContext,
) {
  const start = dateFrom === undefined ? null : readDate(dateFrom, 'dateFrom', context);
  const end = dateTo === undefined ? null : readEnd(dateTo, context);
  const from = start?.from ?? null;
  const to = end?.to ?? (start?.kind === 'period' ? start.to : null);
  if (start && end && liesBefore(end, start)) {
    throw invalid(`dateTo: lies before dateFrom, which is ${formatUtc(start.from)}; swap them or correct one`);
  }
  return { from, to };
}

function readEnd(dateTo: string, context: DateContext): ReadDate {
  const end = readDate(dateTo, 'dateTo', context);
  const { count, unit = '' } = LENGTH.exec(wordsOf(dateTo))?.groups ?? {};
  const found = unitNamed(unit);
  if (!found) return end;
  throw invalid(`dateTo: "${dateTo}" is a length of time; use -${count}${found.names[0]} or a date`);
}

/**
 * Some ranges are empty at their turn: `mtd` to `yesterday` on the first of a month, `today` to
 * `mtd` at midnight.
 */
function liesBefore(end: ReadDate, start: ReadDate): boolean {
  if (end.to !== start.from) return end.to < start.from;
  const isMistake = end.kind === 'period' || start.kind === 'day' || start.kind === 'instant';
  return isMistake && end.from < start.from && end.kind !== 'untilNow';
}

/** In lower case, with one space between words. The minus of `-7d` and `now-7d` stays. */
function wordsOf(text: string): string {
  return lowerOf(text).replaceAll(/(?<=[a-z0-9])(?<!now)[\s_-]+(?=[a-z0-9])/g, ' ');
}

function lowerOf(text: string): string {
  return text.trim().toLowerCase();
}

function readForm(text: string, words: string, context: DateContext): ReadDate | null {
  try {
    const dateTime = readDateTime(text, context);
    if (dateTime !== null) return instant(dateTime);
    for (const [pattern, read] of FORMS) {
      const match = pattern.exec(words);
      const date = match && read((match.groups ?? {}) as unknown as Parts, context);
      if (date) return date;
    }
  } catch (error) {
    // Not a real day or hour, or outside the calendar's range.
    if (!(error instanceof RangeError)) throw error;
  }
  return null;
}

const DATE_TIME = /^(\d{4})[-/](\d{2})[-/](\d{2})[t ]([\d:.,]+)(z|[+-]\d{2}(?::?\d{2})?)?$/;

function readDateTime(text: string, { timezone }: DateContext): number | null {
  const [, year, month, day, time, offset] = DATE_TIME.exec(text) ?? [];
  if (!year) return null;
  const local = `${year}-${month}-${day}T${time}`;
  if (offset) return Temporal.Instant.from(local + offset).epochMilliseconds;
  return Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds;
}

const PERIODS = ['week', 'month', 'quarter', 'year'] as const;
type Period = (typeof PERIODS)[number];

/** The groups that the patterns name; each names only some. */
type Parts = Record<'period' | 'count' | 'unit' | 'year' | 'quarter' | 'month' | 'name' | 'day', string>;
type Form = (parts: Parts, context: DateContext) => ReadDate | null;

/** A length of time; as `dateTo` it might lie in the past or in the future. */
const LENGTH = /^(?<count>\d{1,7}) ?(?<unit>[a-z]+)$/;

/** The first that matches and does not give null applies. */
const FORMS: [pattern: RegExp, read: Form][] = [
  [/^now$/, (_, { now }) => instant(now)],
  [/^today$/, (_, context) => wholeDay(today(context), context)],
  [/^yesterday$/, (_, context) => wholeDay(today(context).subtract({ days: 1 }), context)],
  [/^(?<year>\d{4})[ /](?<month>\d{2})[ /](?<day>\d{2})$/, dayOf],

  [/^(this|current) ?(?<period>week|month|quarter|year)$/, currentPeriod],
  [/^(last|previous) ?(?<period>week|month|quarter|year)$/, previousPeriod],
  [/^(?<year>\d{4})[ /](?<month>\d{2})$/, monthOf],
  [/^(?<name>[a-z]{3,9}) ?(?<year>\d{4})$/, namedMonth],
  [/^(?<year>\d{4}) ?q(?<quarter>[1-4])$/, quarterOf],
  [/^q(?<quarter>[1-4]) ?(?<year>\d{4})$/, quarterOf],
  [/^(?<year>\d{4})$/, yearOf],

  [/^(?<period>[wmqy])td$/, periodToDate],
  [/^(?<period>week|month|quarter|year) to date$/, periodToDate],
  [/^(last|past) ?(1 ?)?day$/, (_, context) => rolling({ count: '24', unit: 'hours' }, context)],
  [/^(last|past) ?(?<unit>hour|minute)$/, rolling],
  [/^past ?(?<unit>week|month|quarter|year)$/, rolling],
  [/^(last|past) ?(?<count>\d{1,7}) ?(?<unit>[a-z]+)$/, rolling],
  [/^(now ?)?- ?(?<count>\d{1,7}) ?(?<unit>[a-z]+)$/, startOfAgo],
  [LENGTH, startOfAgo],
  [/^(?<count>\d{1,7}) ?(?<unit>[a-z]+?) ?ago$/, ago],
];

function dayOf({ year, month, day }: Parts, context: DateContext): ReadDate {
  return wholeDay(dateOf(year, month, day), context);
}

function currentPeriod({ period }: Parts, context: DateContext): ReadDate {
  return whole(period as Period, today(context), context);
}

function previousPeriod({ period }: Parts, context: DateContext): ReadDate {
  return whole(period as Period, today(context).subtract(UNIT_LENGTH[period as Period]), context);
}

function monthOf({ year, month }: Parts, context: DateContext): ReadDate {
  return whole('month', dateOf(year, month), context);
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];

/** `november`, or its first letters, at least three. */
function namedMonth({ name, year }: Parts, context: DateContext): ReadDate | null {
  const index = MONTHS.findIndex((month) => month.startsWith(name));
  return index < 0 ? null : whole('month', dateOf(year, index + 1), context);
}

function quarterOf({ year, quarter }: Parts, context: DateContext): ReadDate {
  return whole('quarter', dateOf(year, 3 * Number(quarter)), context);
}

function yearOf({ year }: Parts, context: DateContext): ReadDate {
  return whole('year', dateOf(year), context);
}

/** Takes a period's name or first letter. */
function periodToDate({ period }: Parts, context: DateContext): ReadDate {
  const unit = PERIODS.find((one) => one.startsWith(period))!;
  return untilNow(whole(unit, today(context), context), context);
}

type Ago = Pick<Parts, 'count' | 'unit'>;

function rolling({ count = '1', unit }: Ago, context: DateContext): ReadDate | null {
  const date = ago({ count, unit }, context);
  return date && untilNow(date, context);
}

/** `-7d` is an instant at either end of a range; `7 days ago` is a day. */
function startOfAgo(parts: Ago, context: DateContext): ReadDate | null {
  const date = ago(parts, context);
  return date && instant(date.from);
}

/** The first name is the shortest. Days and longer units are counted on the calendar. */
const UNITS: { names: string[]; milliseconds?: number; days?: number; months?: number }[] = [
  { names: ['min', 'mins', 'minute', 'minutes'], milliseconds: 60_000 },
  { names: ['h', 'hr', 'hrs', 'hour', 'hours'], milliseconds: 3_600_000 },
  { names: ['d', 'day', 'days'], days: 1 },
  { names: ['w', 'week', 'weeks'], days: 7 },
  { names: ['mo', 'month', 'months'], months: 1 },
  { names: ['q', 'quarter', 'quarters'], months: 3 },
  { names: ['y', 'yr', 'yrs', 'year', 'years'], months: 12 },
];

/** That many minutes or hours before now, or that many days and longer before today. */
function ago({ count, unit }: Ago, context: DateContext): ReadDate | null {
  const found = unitNamed(unit);
  if (!found) return null;
  const { milliseconds, days = 0, months = 0 } = found;
  const amount = Number(count);
  if (milliseconds) return instant(context.now - amount * milliseconds);
  return wholeDay(today(context).subtract({ days: amount * days, months: amount * months }), context);
}

function unitNamed(name: string) {
  return UNITS.find(({ names }) => names.includes(name));
}

function untilNow({ from }: ReadDate, { now }: DateContext): ReadDate {
  return { from, to: now, kind: 'untilNow' };
}

/** The period that holds the date. */
function whole(period: Period, date: Temporal.PlainDate, { timezone }: DateContext): ReadDate {
  const first = startOfUnit(date, period);
  const next = first.add(UNIT_LENGTH[period]);
  return { from: startOfDay(first, timezone), to: startOfDay(next, timezone), kind: 'period' };
}

function wholeDay(date: Temporal.PlainDate, { timezone }: DateContext): ReadDate {
  const next = date.add({ days: 1 });
  return { from: startOfDay(date, timezone), to: startOfDay(next, timezone), kind: 'day' };
}

/** Throws a RangeError for the 30th of February. */
function dateOf(year: string, month: string | number = 1, day: string | number = 1): Temporal.PlainDate {
  return new Temporal.PlainDate(Number(year), Number(month), Number(day));
}

function today({ now, timezone }: DateContext): Temporal.PlainDate {
  return localDate(now, timezone);
}

function instant(epochMs: number): ReadDate {
  return { from: epochMs, to: epochMs, kind: 'instant' };
}

function refusalOf(words: string): string {
  const [, count] = /(?:^|\D)(\d{1,7}) ?m(?: ?ago)?$/.exec(words) ?? [];
  if (count) return `may be minutes or months; use -${count}min for minutes or -${count}mo for months`;
  if (/^\d{1,2}[ /.]\d{1,2}[ /.](\d{2}|\d{4})$/.test(words)) {
    return 'may begin with the day or with the month; put the year first, as in 2026-03-01';
  }
  return 'is not a date; use ISO 8601 (2026-03-01 or 2026-03-01T12:00:00Z), a whole period (last_week, this_month, 2026-11, 2026-Q4), today, mtd, -24h, -7d or -3mo';
}
