/** A bucket of a series and what the same bucket of earlier seasons lets expect. */
export interface OddPoint {
  bucket: string;
  value: number;
  /** The median of the same buckets of the seasons before. */
  expected: number;
}

export interface Point {
  bucket: string;
  value: number | null;
}

/** The points from `start` on that are odd, in order. `season`: buckets of one season, such as 7 days. */
export function oddPoints(points: readonly Point[], start: number, season: number): OddPoint[] {
  return points.slice(start).flatMap((_, offset) => {
    const found = oddPoint(points.slice(0, start + offset + 1), season);
    return found ? [found] : [];
  });
}

const MIN_SEASONS = 3;
const MAX_SEASONS = 8;

/**
 * Whether the last point is odd: its modified z-score against the seasons before exceeds 3.5 (Iglewicz and Hoaglin,
 * How to Detect and Handle Outliers, 1993). The scale is the median of the absolute distances of all earlier points from
 * the median of their own place in the season. Null too where fewer than three seasons are known.
 */
export function oddPoint(points: readonly Point[], season: number): OddPoint | null {
  const last = points.at(-1);
  const history = points.slice(-1 - MAX_SEASONS * season, -1);
  if (!last || last.value === null) return null;
  const places = Array.from({ length: season }, (_, place) =>
    numbersOf(history.filter((_point, index) => (history.length - index) % season === place)),
  );
  // The same place in earlier seasons: a whole number of seasons before the last point.
  const same = places[0] ?? [];
  if (same.length < MIN_SEASONS) return null;
  const expected = median(same);
  const distances = places.flatMap((values) => values.map((value) => Math.abs(value - median(values))));
  const scale = SCALE * median(distances);
  const isOdd = Math.abs(last.value - expected) > LIMIT * scale && last.value !== expected && scale > 0;
  return isOdd ? { bucket: last.bucket, value: last.value, expected } : null;
}

/** The median absolute deviation of a normal distribution is its standard deviation divided by this. */
const SCALE = 1.4826;
const LIMIT = 3.5;

function numbersOf(points: readonly Point[]): number[] {
  return points.flatMap(({ value }) => (value === null ? [] : [value]));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
