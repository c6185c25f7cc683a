import { type BucketLabels, DAY, type Dates, HOUR, SHORTEST, type Unit } from './dates.ts';

export interface TimeLabel {
  /** Index of the bucket. */
  index: number;
  text: string;
}

type Level = {
  form: 'time' | 'day' | 'month' | 'quarter' | 'year';
  numberOf: (time: number) => number;
  steps: number[];
};

const monthOf = (time: number) => new Date(time).getUTCFullYear() * 12 + new Date(time).getUTCMonth();

/**
 * Units of the calendar at whose start labels may be, and by how many units labels may be apart.
 */
const HOURS: Level = { form: 'time', numberOf: (time) => Math.floor(time / HOUR), steps: [1, 2, 3, 6, 12] };
const DAYS: Level = { form: 'day', numberOf: (time) => Math.floor(time / DAY), steps: [1, 2, 4, 7, 14] };
const WEEKS: Level = { form: 'day', numberOf: (time) => Math.floor((time / DAY - 4) / 7), steps: [1, 2, 4] };
const MONTHS: Level = { form: 'month', numberOf: monthOf, steps: [1, 2, 3, 6] };
const QUARTERS: Level = { form: 'quarter', numberOf: (time) => Math.floor(monthOf(time) / 3), steps: [1, 2] };
const YEARS: Level = {
  form: 'year',
  numberOf: (time) => new Date(time).getUTCFullYear(),
  steps: [1, 2, 5, 10, 20, 50, 100],
};

const LEVELS: Record<Unit, Level[]> = {
  hour: [HOURS, DAYS, MONTHS, YEARS],
  day: [DAYS, MONTHS, YEARS],
  week: [WEEKS, MONTHS, YEARS],
  month: [MONTHS, YEARS],
  quarter: [QUARTERS, YEARS],
  year: [YEARS],
};

/**
 * Labels at round times, few enough that each has room for its text and a gap. `widthOf` and
 * `width` are in pixels.
 */
export function timeLabels(
  { times, unit }: BucketLabels,
  dates: Dates,
  width: number,
  widthOf: (text: string) => number,
): TimeLabel[] {
  const perBucket = width / times.length;
  for (const level of LEVELS[unit]) {
    const starts = startsOf(level, times, unit);
    if (starts.length < 2) continue;
    const apart = ((starts.at(-1)! - starts[0]!) / (starts.length - 1)) * perBucket;
    const needed =
      Math.max(...starts.slice(-SAMPLES).map((index) => widthOf(textOf(level, times[index]!, dates)))) + GAP;
    const step = level.steps.find((one) => one * apart >= needed);
    if (step === undefined) continue;
    const isWanted = (index: number, order: number) =>
      level === DAYS || level === WEEKS ? order % step === 0 : level.numberOf(times[index]!) % step === 0;
    const wanted = starts.filter(isWanted);
    if (wanted.length < Math.min(2, times.length)) continue;
    return wanted.map((index) => ({ index, text: textOf(level, times[index]!, dates) }));
  }
  return evenly(times, unit, dates, perBucket, widthOf);
}

const GAP = 16;
/** How many labels are measured to find the widest. */
const SAMPLES = 12;

/**
 * Indexes of the buckets that begin a unit. The bucket before the first one is computed from its
 * length.
 */
function startsOf({ numberOf }: Level, times: number[], unit: Unit): number[] {
  let last = numberOf(times[0]! - SHORTEST[unit]);
  const starts: number[] = [];
  for (const [index, time] of times.entries()) {
    const number = numberOf(time);
    if (number !== last) starts.push(index);
    last = number;
  }
  return starts;
}

/** The label of midnight is the day; the label of January or the first quarter is the year. */
function textOf({ form }: Level, time: number, dates: Dates): string {
  const date = new Date(time);
  if (form === 'time' && date.getUTCHours() === 0) return dates.short(time, 'day');
  if ((form === 'month' || form === 'quarter') && date.getUTCMonth() === 0) return dates.short(time, 'year');
  return dates.short(time, form);
}

function evenly(
  times: number[],
  unit: Unit,
  dates: Dates,
  perBucket: number,
  widthOf: (text: string) => number,
): TimeLabel[] {
  const longest = Math.max(...[0, times.length - 1].map((index) => widthOf(dates.full(times[index]!, unit))));
  const step = Math.max(1, Math.ceil((longest + GAP) / perBucket));
  return times.flatMap((time, index) => (index % step === 0 ? [{ index, text: dates.full(time, unit) }] : []));
}
