import { Temporal } from 'temporal-polyfill';
import { invalid } from '../shared/errors.ts';
import type { DateGrouping } from './fields.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

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

export interface DateContext {
  now: number;
  timezone: string;
}

const EARLIEST = Date.parse('0001-01-01T00:00:00Z');

/** Epoch milliseconds. Without an offset: local time. `-Nd` and longer: local midnight. */
export function resolveDate(text: string, field: string, context: DateContext): number {
  return resolve(text, field, context).instant;
}

/** As `resolveDate`, but a date without a time means the end of that day. */
export function resolveDateEnd(text: string, field: string, context: DateContext): number {
  const { instant, wholeDay } = resolve(text, field, context);
  return wholeDay ? startOfDay(wholeDay.add({ days: 1 }), context.timezone) : instant;
}

/** Throws `invalid` when `dateTo` is earlier. */
export function resolveRange(
  { dateFrom, dateTo }: { dateFrom?: string | undefined; dateTo?: string | undefined },
  context: DateContext,
) {
  const from = dateFrom === undefined ? null : resolveDate(dateFrom, 'dateFrom', context);
  const to = dateTo === undefined ? null : resolveDateEnd(dateTo, 'dateTo', context);
  if (from !== null && to !== null && from > to) {
    throw invalid(`dateTo: lies before dateFrom, which is ${formatUtc(from)}; swap them or correct one`);
  }
  return { from, to };
}

interface ResolvedDate {
  instant: number;
  wholeDay?: Temporal.PlainDate;
}

function resolve(text: string, field: string, context: DateContext): ResolvedDate {
  const date = parseDate(text, context);
  if (date && date.instant >= EARLIEST) return date;
  throw invalid(
    `${field}: "${text}" is not a date; use ISO 8601 (2026-03-01 or 2026-03-01T12:00:00Z), -24h, -7d, -4w, -3mo, -1y, today, yesterday, mtd, qtd or ytd`,
  );
}

function parseDate(text: string, { now, timezone }: DateContext): ResolvedDate | null {
  const today = () => localDate(now, timezone);
  const midnight = (date: Temporal.PlainDate) => ({ instant: startOfDay(date, timezone) });
  const day = (date: Temporal.PlainDate) => ({ instant: startOfDay(date, timezone), wholeDay: date });

  if (text === 'today') return day(today());
  if (text === 'yesterday') return day(today().subtract({ days: 1 }));
  if (text === 'mtd') return midnight(startOfUnit(today(), 'month'));
  if (text === 'qtd') return midnight(startOfUnit(today(), 'quarter'));
  if (text === 'ytd') return midnight(startOfUnit(today(), 'year'));

  const relative = /^-(\d{1,7})(min|h|d|w|mo|y)$/.exec(text);
  try {
    if (relative) {
      const amount = Number(relative[1]);
      const unit = relative[2];
      if (unit === 'min') return { instant: now - amount * MINUTE };
      if (unit === 'h') return { instant: now - amount * HOUR };
      const duration = { d: 'days', w: 'weeks', mo: 'months', y: 'years' }[unit as 'd' | 'w' | 'mo' | 'y'];
      return midnight(today().subtract({ [duration]: amount }));
    }
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return day(Temporal.PlainDate.from(text));
    if (/^\d{4}-\d{2}-\d{2}[T ].*([zZ]|[+-]\d{2}(:?\d{2})?)$/.test(text)) {
      return { instant: Temporal.Instant.from(text).epochMilliseconds };
    }
    if (/^\d{4}-\d{2}-\d{2}[T ][\d:.,]+$/.test(text)) {
      return { instant: Temporal.PlainDateTime.from(text).toZonedDateTime(timezone).epochMilliseconds };
    }
  } catch {
    return null; // Not a real day or hour, or outside the calendar's range.
  }
  return null;
}

/** What to add to UTC to get local time, so that all stores bucket by the same rules. */
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

export interface Bucket {
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
export function bucketsBetween(unit: DateGrouping, range: BucketRange, maximum: number): Bucket[] {
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

function hourBuckets({ from, to, timezone }: BucketRange, maximum: number): Bucket[] {
  const buckets: Bucket[] = [];
  let segmentStart = from;
  for (const { until, offset } of zoneOffsets(timezone, from, to)) {
    const segmentEnd = until ?? to;
    const first = segmentStart - floorModulo(segmentStart + offset, HOUR);
    for (let key = first; key < segmentEnd && buckets.length <= maximum; key += HOUR) {
      if (buckets.at(-1)?.key === key) continue;
      buckets.push({ key, label: labelOf(startOfHour(key, offset, timezone), timezone) });
    }
    segmentStart = segmentEnd;
  }
  return buckets;
}

/** Later than its key if clocks changed by half an hour. */
function startOfHour(key: number, offset: number, timezone: string): number {
  const start = zonedTime(key, timezone);
  if (Math.round(start.offsetNanoseconds / 1e6) === offset) return key;
  return start.getTimeZoneTransition('next')?.epochMilliseconds ?? key;
}

function dateBuckets(
  unit: Exclude<DateGrouping, 'hour'>,
  { from, to, timezone }: BucketRange,
  maximum: number,
): Bucket[] {
  const buckets: Bucket[] = [];
  const last = localDate(to - 1, timezone);
  let date = startOfUnit(localDate(from, timezone), unit);
  while (Temporal.PlainDate.compare(date, last) <= 0 && buckets.length <= maximum) {
    const start = startOfDay(date, timezone);
    // A zone that crossed the date line skipped a day, which gets no bucket.
    if (unit !== 'day' || localDate(start, timezone).equals(date)) {
      buckets.push({ key: date.toZonedDateTime('UTC').epochMilliseconds, label: labelOf(start, timezone) });
    }
    date = date.add(UNIT_LENGTH[unit]);
  }
  return buckets;
}

const UNIT_DAYS = { hour: 1 / 24, day: 1, week: 7, month: 30, quarter: 91, year: 365 };

const UNIT_LENGTH = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { years: 1 },
} as const;

function startOfUnit(date: Temporal.PlainDate, unit: Exclude<DateGrouping, 'hour'>): Temporal.PlainDate {
  if (unit === 'day') return date;
  if (unit === 'week') return date.subtract({ days: date.dayOfWeek - 1 }); // weeks begin on Monday
  if (unit === 'month') return date.with({ day: 1 });
  if (unit === 'quarter') return date.with({ month: date.month - ((date.month - 1) % 3), day: 1 });
  return date.with({ month: 1, day: 1 });
}

function zonedTime(epochMs: number, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(timezone);
}

function localDate(epochMs: number, timezone: string): Temporal.PlainDate {
  return zonedTime(epochMs, timezone).toPlainDate();
}

/** Midnight, or later if daylight saving begins at midnight. */
function startOfDay(date: Temporal.PlainDate, timezone: string): number {
  return date.toZonedDateTime(timezone).epochMilliseconds;
}

function labelOf(epochMs: number, timezone: string): string {
  return zonedTime(epochMs, timezone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}

function floorModulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
