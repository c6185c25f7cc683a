import { formatUtc, localDate, startOfBucket, startOfDay } from '../../../base/time/time.ts';
import type { Period } from '../query-plan.ts';
import { askKpi, type QueryContext } from '../questions/ask.ts';
import type { KpiQuestion } from '../questions/question.ts';

/** A bucket whose value is unlike the same buckets of earlier weeks. */
interface Anomaly {
  bucket: string;
  value: number;
  /** The median of the same buckets of earlier weeks. */
  expected: number;
}

export interface SeriesPoint {
  /** The local start with its offset: `2026-11-24T09:00:00+01:00`. */
  bucket: string;
  value: number | null;
}

type SeasonalUnit = 'hour' | 'day' | 'week';

/** Weeks before a bucket that it is judged by. */
const WEEKS_BEFORE: Record<SeasonalUnit, number> = { hour: 4, day: 8, week: 12 };

/** More than a series of so many weeks has, also where clocks change. */
const BUCKETS_OF_WEEK: Record<SeasonalUnit, number> = { hour: 169, day: 7, week: 1 };

/** Buckets of a series that the bucket after them is judged by. */
export function bucketsBeforeAnomaly(unit: SeasonalUnit): number {
  return WEEKS_BEFORE[unit] * BUCKETS_OF_WEEK[unit];
}

/** The points from `start` on that are anomalies, in order. */
export function anomaliesFrom(points: readonly SeriesPoint[], start: number, unit: SeasonalUnit): Anomaly[] {
  return points.slice(start).flatMap((_, offset) => {
    const found = lastAnomaly(points.slice(0, start + offset + 1), unit);
    return found ? [found] : [];
  });
}

const MIN_SAME = 3;
const LIMIT = 3.5;
/**
 * The median and the mean absolute deviation of a normal distribution, as its standard deviation is
 * 1.4826 and 1.2533 times of them.
 */
const OF_MEDIAN = 1.4826;
const OF_MEAN = 1.2533;

/**
 * Whether the last point is an anomaly: its modified z-score against the same buckets of earlier
 * weeks exceeds 3.5 (Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993). The scale
 * comes from the distances of all earlier points to the median of their own place in the week:
 * their median or, if that is 0, their mean, and then at least 1 for whole numbers. Null too where
 * fewer than three of the same buckets are known.
 */
export function lastAnomaly(points: readonly SeriesPoint[], unit: SeasonalUnit): Anomaly | null {
  const last = points.at(-1);
  if (!last || last.value === null) return null;
  const known = points.slice(-1 - bucketsBeforeAnomaly(unit), -1).filter(isKnown);
  const places = Map.groupBy(known, ({ bucket }) => placeInWeek(bucket, unit));
  const same = (places.get(placeInWeek(last.bucket, unit)) ?? []).map(({ value }) => value);
  if (same.length < MIN_SAME) return null;
  const expected = median(same);
  const distances = [...places.values()].flatMap((place) => {
    const middle = median(place.map(({ value }) => value));
    return place.map(({ value }) => Math.abs(value - middle));
  });
  const isWhole = [...known, last].every(({ value }) => Number.isInteger(value));
  const distance = Math.abs(last.value - expected);
  const isAnomaly = distance > 0 && distance > LIMIT * scaleOf(distances, isWhole);
  return isAnomaly ? { bucket: last.bucket, value: last.value, expected } : null;
}

function scaleOf(distances: readonly number[], isWhole: boolean): number {
  const typical = OF_MEDIAN * median(distances);
  if (typical > 0) return typical;
  const mean = distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  return Math.max(OF_MEAN * mean, isWhole ? 1 : 0);
}

/** Weekday and hour by the local clock, so that office hours stay the same where clocks change. */
function placeInWeek(bucket: string, unit: SeasonalUnit): string {
  if (unit === 'week') return '';
  const weekday = new Date(`${bucket.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return unit === 'day' ? String(weekday) : `${weekday} ${bucket.slice(11, 13)}`;
}

function isKnown(point: SeriesPoint): point is SeriesPoint & { value: number } {
  return point.value !== null;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

interface SeriesNotes {
  anomalies: Anomaly[];
  notes: string[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Buckets of the period against the same times of the weeks before it. */
const UNITS = [
  { unit: 'hour' as const, longest: 2 * DAY },
  { unit: 'day' as const, longest: 92 * DAY },
];

/**
 * Anomalies of the period's series, and whether its last bucket is incomplete: not over, or cut off
 * by the period's end. None for a period longer than 92 days.
 */
export async function seriesNotes(
  question: Omit<KpiQuestion, 'compareTo'>,
  { from, to }: Period,
  context: QueryContext,
): Promise<SeriesNotes> {
  const end = Math.min(to, context.effects.now());
  const found = UNITS.find(({ longest }) => end - from <= longest);
  if (!found || end <= from) return { anomalies: [], notes: [] };
  const { unit } = found;
  const { timezone = context.caller.timezone } = question;
  const first = startOfDay(localDate(from, timezone).subtract({ weeks: WEEKS_BEFORE[unit] }), timezone);
  const asked = { dateFrom: formatUtc(first), dateTo: formatUtc(end), dateGrouping: unit };
  const { series } = await askKpi({ ...question, ...asked }, context);
  const points = series ?? [];
  const start = points.findIndex(({ bucket }) => Date.parse(bucket) >= from);
  const last = points.at(-1);
  const isIncomplete = last !== undefined && Date.parse(last.bucket) >= startOfBucket(end, unit, timezone).at;
  const complete = isIncomplete ? points.slice(0, -1) : points;
  return {
    anomalies: start < 0 ? [] : anomaliesFrom(complete, start, unit),
    notes: isIncomplete ? [`The last ${unit}, ${last.bucket}, is incomplete and is not checked for anomalies.`] : [],
  };
}
