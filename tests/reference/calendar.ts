import type { DateGrouping } from '../../src/core/events/fields.ts';

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
  return datesOf(text, dates).start;
}

/** As the exclusive end of a range: a bare date ends with its day. */
export function endInstantOf(text: string, dates: Dates): number {
  const { start, wholeDay } = datesOf(text, dates);
  return wholeDay === undefined ? start : startOfLocalDay(dates.timezone, wholeDay + DAY);
}

function datesOf(text: string, { now, timezone }: Dates): { start: number; wholeDay?: number } {
  const today = dayOf(localTime(timezone, now));
  const midnight = (day: number) => ({ start: startOfLocalDay(timezone, day) });
  const relative = /^-(\d+)(min|h|d|w|mo|y)$/.exec(text);
  if (relative) {
    const amount = Number(relative[1]);
    switch (relative[2]) {
      case 'min':
        return { start: now - amount * MINUTE };
      case 'h':
        return { start: now - amount * HOUR };
      case 'd':
        return midnight(today - amount * DAY);
      case 'w':
        return midnight(today - amount * 7 * DAY);
      default:
        return midnight(monthsBefore(today, relative[2] === 'mo' ? amount : amount * 12));
    }
  }
  if (text === 'today') return { ...midnight(today), wholeDay: today };
  if (text === 'yesterday') return { ...midnight(today - DAY), wholeDay: today - DAY };
  const toDate = ({ mtd: 'month', qtd: 'quarter', ytd: 'year' } as const)[text];
  if (toDate) return midnight(startOf(toDate, today));
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return { ...midnight(Date.parse(text)), wholeDay: Date.parse(text) };
  if (/(Z|[+-]\d\d:\d\d)$/.test(text)) return { start: Date.parse(text) };
  return { start: instantOfLocal(timezone, Date.parse(`${text}Z`)) };
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
