import type { Bucketing } from '../../compile/bucket.ts';

const HOUR = 3_600_000;
const LENGTH = { hour: HOUR, day: 24 * HOUR, week: 168 * HOUR };
const MONTHS = { month: 1, quarter: 3, year: 12 };
/** Weeks begin on Monday; the epoch began on a Thursday. */
const WEEK_SHIFT = 72 * HOUR;

/** From one start to the next, all events are in one bucket. */
export interface BucketStarts {
  /** In epoch milliseconds, infinity at the end. */
  starts: Float64Array;
  /** The places of their buckets in `keys`: a bucket may go on after another one. */
  places: Uint16Array;
  /** As of `bucketSql`. */
  keys: number[];
}

/** The buckets from an instant to before another; null: more than `most`. */
export function bucketStarts(
  { unit, offsets }: Bucketing,
  { from, to }: { from: number; to: number },
  most: number,
): BucketStarts | null {
  const starts: number[] = [];
  const places: number[] = [];
  const found = new Map<number, number>();
  for (let at = from; at < to; ) {
    const { offset, until } = offsets.find(({ until }) => until === null || at < until)!;
    const local = startAndEnd(unit, at + offset);
    const key = unit === 'hour' ? local.start - offset : local.start;
    const place = found.get(key) ?? found.set(key, found.size).size - 1;
    starts.push(at);
    places.push(place);
    if (starts.length > most) return null;
    at = Math.min(local.end - offset, until ?? Number.POSITIVE_INFINITY);
  }
  starts.push(Number.POSITIVE_INFINITY);
  return { starts: Float64Array.from(starts), places: Uint16Array.from(places), keys: [...found.keys()] };
}

function startAndEnd(unit: Bucketing['unit'], local: number): { start: number; end: number } {
  if (unit === 'month' || unit === 'quarter' || unit === 'year') {
    const date = new Date(local);
    const startOf = (month: number) => new Date(0).setUTCFullYear(date.getUTCFullYear(), month, 1);
    const month = date.getUTCMonth() - (date.getUTCMonth() % MONTHS[unit]);
    return { start: startOf(month), end: startOf(month + MONTHS[unit]) };
  }
  const shift = unit === 'week' ? WEEK_SHIFT : 0;
  const start = Math.floor((local + shift) / LENGTH[unit]) * LENGTH[unit] - shift;
  return { start, end: start + LENGTH[unit] };
}
