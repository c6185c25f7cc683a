import { Temporal } from 'temporal-polyfill';
import { invalid } from '../shared/errors.ts';
import type { DateGrouping } from './units.ts';

const HOUR = 3_600_000;

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Epoch milliseconds of an ISO 8601 text (UTC unless it has an offset), or null. */
export function parseUtc(text: string): number | null {
  const [, date, time = '00:00', offset = 'Z'] = ISO.exec(text) ?? [];
  if (!date) return null;
  const epochMs = Date.parse(`${date}T${time.replace(',', '.')}${fullOffset(offset)}`);
  // Date.parse turns the 30th of February into a day of March.
  const isRealDay = Number.isFinite(epochMs) && new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);
  return isRealDay ? epochMs : null;
}

/** `Date.parse` knows `+02:00` only. */
function fullOffset(offset: string): string {
  if (offset.toUpperCase() === 'Z') return 'Z';
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return `${offset[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

export function formatUtc(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The zone's canonical spelling. Throws `invalid`. */
export function checkTimezone(timezone: string): string {
  try {
    // An offset would be wrong for half of the year.
    if (/^[+-]/.test(timezone)) throw new RangeError(timezone);
    return Temporal.Now.zonedDateTimeISO(timezone).timeZoneId;
  } catch {
    throw invalid(`timezone: "${timezone}" is not an IANA time zone name such as UTC or America/Los_Angeles`);
  }
}

/** Milliseconds to add to UTC for local time, so that all stores bucket by the same rules. */
export interface ZoneOffset {
  /** Epoch milliseconds, exclusive; null for the last offset. */
  until: number | null;
  offset: number;
}

export function zoneOffsets(timezone: string, from: number, to: number): ZoneOffset[] {
  const offsets: ZoneOffset[] = [];
  let at = zonedTime(from, timezone);
  for (;;) {
    const offset = Math.round(at.offsetNanoseconds / 1e6);
    const next = at.getTimeZoneTransition('next');
    if (!next || next.epochMilliseconds >= to) return [...offsets, { until: null, offset }];
    offsets.push({ until: next.epochMilliseconds, offset });
    at = next;
  }
}

export interface TimeBucket {
  /** Epoch milliseconds of an hour, or of a local date as if it were UTC. */
  key: number;
  /** ISO 8601 of the start, with the zone's offset. */
  label: string;
}

interface BucketRange {
  from: number;
  to: number;
  timezone: string;
}

/** In [from, to), empty buckets included. Throws `invalid` beyond `maximum`. */
export function bucketsBetween(unit: DateGrouping, range: BucketRange, maximum: number): TimeBucket[] {
  if (range.to <= range.from) return [];
  const buckets = unit === 'hour' ? hourBuckets(range, maximum) : dateBuckets(unit, range, maximum);
  if (buckets.length > maximum) {
    const days = (range.to - range.from) / (24 * HOUR);
    const fitting = (Object.keys(UNIT_DAYS) as DateGrouping[]).find(
      (one) => UNIT_DAYS[one] > UNIT_DAYS[unit] && days / UNIT_DAYS[one] < maximum,
    );
    const longer = fitting ? `use ${fitting}` : 'give dateFrom';
    throw invalid(
      `dateGrouping: the range holds more than ${maximum} buckets by ${unit}; ${longer} or narrow the range`,
    );
  }
  return buckets;
}

/** The time between two changes of a zone's clocks, in epoch milliseconds. */
interface Stretch {
  from: number;
  until: number;
  offset: number;
}

/**
 * A zone's local times in a range, computed from its offsets: Temporal takes some 50 microseconds
 * for each, and a thousand days would hold up everybody.
 */
class LocalTimes {
  readonly stretches: Stretch[] = [];

  constructor(timezone: string, from: number, to: number) {
    let since = Number.NEGATIVE_INFINITY;
    for (const { until, offset } of zoneOffsets(timezone, from - MARGIN, to + MARGIN)) {
      this.stretches.push({ from: since, until: until ?? Number.POSITIVE_INFINITY, offset });
      since = until ?? since;
    }
  }

  at(instant: number): Stretch {
    return this.stretches.find(({ until }) => instant < until)!;
  }

  dayOf(instant: number): number {
    const local = instant + this.at(instant).offset;
    return local - floorModulo(local, DAY);
  }

  /** Midnight, or later if clocks are put forward at midnight. */
  startOf(day: number): number {
    const { from, offset } = this.stretches.find(({ until, offset }) => day - offset < until)!;
    return Math.max(from, day - offset);
  }

  label(instant: number): string {
    const { offset } = this.at(instant);
    const minutes = Math.round(Math.abs(offset) / 60_000);
    const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
    return `${new Date(instant + offset).toISOString().slice(0, -'.000Z'.length)}${offset < 0 ? '-' : '+'}${hour}:${minute}`;
  }
}

const DAY = 24 * HOUR;
const MARGIN = 3 * DAY;

function hourBuckets({ from, to, timezone }: BucketRange, maximum: number): TimeBucket[] {
  const buckets: TimeBucket[] = [];
  const times = new LocalTimes(timezone, from, Math.min(to, from + (maximum + 1) * HOUR));
  for (const stretch of times.stretches) {
    const [start, end] = [Math.max(stretch.from, from), Math.min(stretch.until, to)];
    if (start >= end) continue;
    const first = start - floorModulo(start + stretch.offset, HOUR);
    for (let key = first; key < end && buckets.length <= maximum; key += HOUR) {
      if (buckets.at(-1)?.key === key) continue;
      // Later than its key if clocks changed by half an hour.
      buckets.push({ key, label: times.label(Math.max(key, stretch.from)) });
    }
  }
  return buckets;
}

function dateBuckets(
  unit: Exclude<DateGrouping, 'hour'>,
  { from, to, timezone }: BucketRange,
  maximum: number,
): TimeBucket[] {
  const buckets: TimeBucket[] = [];
  const end = Math.min(to, from + (maximum + 1) * LONGEST_BUCKET[unit]);
  const times = new LocalTimes(timezone, from - LONGEST_BUCKET[unit], end);
  const last = times.dayOf(end - 1);
  for (let day = firstDay(times.dayOf(from), unit); day <= last && buckets.length <= maximum; ) {
    const start = times.startOf(day);
    // A zone that crossed the date line skipped a day, which gets no bucket.
    if (unit !== 'day' || times.dayOf(start) === day) buckets.push({ key: day, label: times.label(start) });
    day = nextOf(day, unit);
  }
  return buckets;
}

/** Days are epoch milliseconds of a local date as if it were UTC. */
function firstDay(day: number, unit: Exclude<DateGrouping, 'hour'>): number {
  const date = Temporal.PlainDate.from(new Date(day).toISOString().slice(0, -'T00:00:00.000Z'.length));
  return startOfUnit(date, unit).toZonedDateTime('UTC').epochMilliseconds;
}

function nextOf(day: number, unit: Exclude<DateGrouping, 'hour'>): number {
  if (unit === 'day' || unit === 'week') return day + UNIT_DAYS[unit] * DAY;
  const date = new Date(day);
  return date.setUTCMonth(date.getUTCMonth() + MONTHS[unit]);
}

const MONTHS = { month: 1, quarter: 3, year: 12 };

/** In milliseconds: days and longer have an hour more where clocks are set back. */
export const LONGEST_BUCKET: Record<DateGrouping, number> = {
  hour: HOUR,
  day: 25 * HOUR,
  week: (7 * 24 + 1) * HOUR,
  month: (31 * 24 + 1) * HOUR,
  quarter: (92 * 24 + 1) * HOUR,
  year: (366 * 24 + 1) * HOUR,
};

/** The start of the bucket that holds the instant. */
export function startOfBucket(instant: number, unit: DateGrouping, timezone: string): { at: number; label: string } {
  const range = { from: instant - LONGEST_BUCKET[unit], to: instant + 1, timezone };
  const { label } = bucketsBetween(unit, range, 1_000).at(-1)!;
  return { at: Date.parse(label), label };
}

const UNIT_DAYS = { hour: 1 / 24, day: 1, week: 7, month: 30, quarter: 91, year: 365 };

export const UNIT_LENGTH = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
} as const;

export function startOfUnit(date: Temporal.PlainDate, unit: Exclude<DateGrouping, 'hour'>): Temporal.PlainDate {
  if (unit === 'day') return date;
  if (unit === 'week') return date.subtract({ days: date.dayOfWeek - 1 }); // weeks begin on Monday
  if (unit === 'month') return date.with({ day: 1 });
  if (unit === 'quarter') return date.with({ month: date.month - ((date.month - 1) % 3), day: 1 });
  return date.with({ month: 1, day: 1 });
}

function zonedTime(epochMs: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone);
}

export function localDate(epochMs: number, timezone: string): Temporal.PlainDate {
  return zonedTime(epochMs, timezone).toPlainDate();
}

/** Midnight, or later if daylight saving begins at midnight. */
export function startOfDay(date: Temporal.PlainDate, timezone: string): number {
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

/** The start of a local day that is less than about half a day away. */
export function nearestStartOfDay(epochMs: number, timezone: string): number {
  return startOfDay(localDate(epochMs + 12 * HOUR, timezone), timezone);
}

function floorModulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
