import type { DateGrouping } from '../../src/core/analytics/events/fields.ts';

/*
 * Time zones for the reference evaluator, on Intl.DateTimeFormat alone: src uses Temporal. A local
 * time is represented as the epoch milliseconds of the same time in UTC.
 */

export interface Dates {
  now: number;
  timezone: string;
}

/** A request that the contract refuses; the product must refuse it too. */
export class Refused extends Error {}

const MINUTE = 60_000;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, Map<number, number>>();

/** The offset from UTC to local time. Zones change on quarter hours in all generated data. */
export function offsetAt(timezone: string, instant: number): number {
  const quarter = Math.floor(instant / QUARTER_HOUR) * QUARTER_HOUR;
  const known = offsets.get(timezone) ?? new Map<number, number>();
  offsets.set(timezone, known);
  let offset = known.get(quarter);
  if (offset === undefined) {
    offset = readOffset(timezone, quarter);
    known.set(quarter, offset);
  }
  return offset;
}

function readOffset(timezone: string, instant: number): number {
  const format =
    formats.get(timezone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timezone, format);
  const part = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part.year!, part.month! - 1, part.day!, part.hour!, part.minute!, part.second!) - instant;
}

export function localTime(timezone: string, instant: number): number {
  return instant + offsetAt(timezone, instant);
}

/** The instant of a local time: the earlier of two; in a gap, shifted by its length. */
function instantOfLocal(timezone: string, local: number): number {
  const before = offsetAt(timezone, local - DAY);
  const candidates = [before, offsetAt(timezone, local + DAY)].map((offset) => local - offset);
  const real = candidates.filter((instant) => localTime(timezone, instant) === local);
  return real.length > 0 ? Math.min(...real) : local - before;
}

function startOfLocalDay(timezone: string, day: number): number {
  return instantOfLocal(timezone, day);
}

function dayOf(local: number): number {
  return Math.floor(local / DAY) * DAY;
}

/** A caller's date as epoch milliseconds. */
export function instantOf(text: string, dates: Dates): number {
  return meaningOf(text, dates).start;
}

export interface Meaning {
  start: number;
  /** Exclusive: a day and a period end with themselves. */
  end: number;
  form: 'instant' | 'length' | 'day' | 'period' | 'untilNow';
}

export function meaningOf(text: string, dates: Dates): Meaning {
  const { now, timezone } = dates;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const hasOffset = /(Z|[+-]\d\d:\d\d)$/.test(text);
    const start = hasOffset ? Date.parse(text) : instantOfLocal(timezone, Date.parse(`${text}Z`));
    return { start, end: start, form: 'instant' };
  }
  const today = dayOf(localTime(timezone, now));
  const days = (first: number, next: number) => ({
    start: startOfLocalDay(timezone, first),
    end: startOfLocalDay(timezone, next),
    form: 'day' as const,
  });
  const period = (unit: LongUnit, day: number) => {
    const first = startOf(unit, day);
    return { ...days(first, startOf(unit, first + LONGEST[unit] * DAY)), form: 'period' as const };
  };
  const words = text.toLowerCase().match(/[a-z]+|\d+/g) ?? [];
  const said = words.join(' ');
  const [first, second, third] = words as [string, string, string];

  if (said === 'now') return { start: now, end: now, form: 'instant' };
  if (said === 'today') return days(today, today + DAY);
  if (said === 'yesterday') return days(today - DAY, today);
  if (/^\d{4} \d\d \d\d$/.test(said)) {
    const day = Date.parse(`${first}-${second}-${third}`);
    return days(day, day + DAY);
  }

  const unit = UNITS_OF_PERIODS.find((one) => one === second);
  if (words.length === 2 && unit) {
    if (first === 'this' || first === 'current') return period(unit, today);
    if (first === 'last' || first === 'previous') return period(unit, startOf(unit, today) - DAY);
  }
  if (/^\d{4}$/.test(said)) return period('year', Date.parse(said));
  if (/^\d{4} \d\d$/.test(said)) return period('month', Date.parse(`${first}-${second}`));
  if (/^[a-z]{3,} \d{4}$/.test(said)) return period('month', Date.parse(`1 ${said} UTC`));
  if (/^\d{4} q \d$/.test(said)) return period('quarter', Date.UTC(Number(first), 3 * Number(third) - 1));
  if (/^q \d \d{4}$/.test(said)) return period('quarter', Date.UTC(Number(third), 3 * Number(second) - 1));

  const toDate = UNITS_OF_PERIODS.find((one) => said === `${one} to date` || said === `${one[0]}td`);
  if (toDate) return { start: period(toDate, today).start, end: now, form: 'untilNow' };

  const [, lead, count = '1', of = '', trail] = /^(?:(now|last|past) )?(?:(\d+) )?([a-z]+)( ago)?$/.exec(said) ?? [];
  const isRolling = lead === 'last' || lead === 'past';
  const lone = isRolling && of === 'day';
  const back = lone ? before('24', 'h', dates) : before(count, of, dates);
  if (isRolling) return { ...back, end: now, form: 'untilNow' };
  if (trail) return back;
  return { ...back, end: back.start, form: /^\d/.test(text) ? 'length' : 'instant' };
}

const UNITS_OF_PERIODS = ['week', 'month', 'quarter', 'year'] as const;

/** Days after which the next one has begun, and not the one after it. */
const LONGEST = { day: 1, week: 7, month: 31, quarter: 92, year: 366 };

/** That long ago: an instant, or the day. */
function before(count: string, unit: string, { now, timezone }: Dates): Meaning {
  const amount = Number(count);
  const instant = (start: number) => ({ start, end: start, form: 'instant' as const });
  const today = dayOf(localTime(timezone, now));
  const onDay = (day: number) => ({
    start: startOfLocalDay(timezone, day),
    end: startOfLocalDay(timezone, day + DAY),
    form: 'day' as const,
  });
  if (unit.startsWith('min')) return instant(now - amount * MINUTE);
  if (unit.startsWith('h')) return instant(now - amount * HOUR);
  if (unit.startsWith('d')) return onDay(today - amount * DAY);
  if (unit.startsWith('w')) return onDay(today - amount * 7 * DAY);
  if (unit.startsWith('mo')) return onDay(monthsBefore(today, amount));
  if (unit.startsWith('q')) return onDay(monthsBefore(today, amount * 3));
  if (unit.startsWith('y')) return onDay(monthsBefore(today, amount * 12));
  throw new Error(`no unit of time: ${unit}`);
}

/** The same day of an earlier month, or that month's last. */
function monthsBefore(day: number, months: number): number {
  const date = new Date(day);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1);
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months + 1, 1);
  return Math.min(first + (date.getUTCDate() - 1) * DAY, next - DAY);
}

type LongUnit = Exclude<DateGrouping, 'hour'>;

/** Local midnight of the first day of the day's week, month and so on. */
function startOf(unit: LongUnit, day: number): number {
  const date = new Date(day);
  const month = date.getUTCMonth();
  switch (unit) {
    case 'day':
      return day;
    case 'week':
      return day - ((date.getUTCDay() + 6) % 7) * DAY; // weeks begin on Monday
    case 'month':
      return Date.UTC(date.getUTCFullYear(), month, 1);
    case 'quarter':
      return Date.UTC(date.getUTCFullYear(), month - (month % 3), 1);
    case 'year':
      return Date.UTC(date.getUTCFullYear(), 0, 1);
  }
}

/** The label of an instant's bucket. Hours include their offset: a repeated hour is two. */
export function bucketOf(unit: DateGrouping, timezone: string, instant: number): string {
  const local = localTime(timezone, instant);
  if (unit !== 'hour') return String(startOf(unit, dayOf(local)));
  return `${Math.floor(local / HOUR)} at ${offsetAt(timezone, instant)}`;
}

/** The bucket after the one of that label. */
export function bucketAfter(unit: LongUnit, name: string): string {
  return String(startOf(unit, Number(name) + LONGEST[unit] * DAY));
}

/** Every bucket that overlaps [from, to), in order: its label, and its first instant. */
export function bucketsBetween(
  unit: DateGrouping,
  timezone: string,
  from: number,
  to: number,
  maximum: number,
): { name: string; label: string }[] {
  const buckets: { name: string; label: string }[] = [];
  let last = '';
  for (const at of instantsBetween(from, to, unit === 'hour' ? QUARTER_HOUR : 6 * HOUR)) {
    const name = bucketOf(unit, timezone, at);
    if (name === last) continue;
    last = name;
    buckets.push({ name, label: labelOf(timezone, firstInstant(unit, timezone, at)) });
    if (buckets.length > maximum) throw new Refused('too many buckets');
  }
  return buckets;
}

/** Instants so close that none of the buckets is skipped, with both ends of the range. */
function* instantsBetween(from: number, to: number, step: number): Generator<number> {
  if (to <= from) return;
  for (let at = from; at < to; at = Math.floor(at / step) * step + step) yield at;
  yield to - 1;
}

function firstInstant(unit: DateGrouping, timezone: string, instant: number): number {
  if (unit !== 'hour') {
    return startOfLocalDay(timezone, startOf(unit, dayOf(localTime(timezone, instant))));
  }
  const name = bucketOf(unit, timezone, instant);
  let first = Math.floor(instant / QUARTER_HOUR) * QUARTER_HOUR;
  while (bucketOf(unit, timezone, first - QUARTER_HOUR) === name) first -= QUARTER_HOUR;
  return first;
}

/** ISO 8601 with the zone's offset. */
export function labelOf(timezone: string, instant: number): string {
  const offset = offsetAt(timezone, instant);
  const minutes = Math.abs(offset) / MINUTE;
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const local = new Date(instant + offset).toISOString().slice(0, 19);
  return `${local}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}
