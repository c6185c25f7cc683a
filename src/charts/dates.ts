import type { CardBasis } from './answer.ts';
import { chartTranslator, kept } from './locale.ts';

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Milliseconds that each unit has at least, in local time. */
export const SHORTEST: Record<Unit, number> = {
  hour: HOUR / 2,
  day: 23 * HOUR,
  week: 7 * DAY,
  month: 28 * DAY,
  quarter: 90 * DAY,
  year: 365 * DAY,
};
/** The longest bucket: an hour more on the day that the clocks are set back. */
const LONGEST: Record<Unit, number> = {
  hour: HOUR,
  day: DAY + HOUR,
  week: 7 * DAY + HOUR,
  month: 31 * DAY + HOUR,
  quarter: 92 * DAY + HOUR,
  year: Number.POSITIVE_INFINITY,
};
const UNITS = Object.keys(SHORTEST) as Unit[];

/** `times` are the local times of the buckets, in milliseconds as if they were UTC. */
export interface BucketLabels {
  times: number[];
  unit: Unit;
}

/**
 * The unit of several buckets follows from their distances, that of a single one from the end of
 * the range, `to`.
 */
export function bucketsOf(labels: readonly string[], to: string | null): BucketLabels {
  // The offset is left out: the text before it is the local time.
  const times = labels.map((label) => Date.parse(`${label.slice(0, 19)}Z`) || 0);
  let least = Number.POSITIVE_INFINITY;
  for (let index = 1; index < times.length; index++) {
    const length = times[index]! - times[index - 1]!;
    if (length > 0) least = Math.min(least, length);
  }
  const isSingle = least === Number.POSITIVE_INFINITY;
  const unit = isSingle ? unitThatReaches(labels[0], to) : UNITS.findLast((one) => SHORTEST[one] <= least);
  return { times, unit: unit ?? 'hour' };
}

/** The shortest unit that begins at `from` and includes all until `to`. */
function unitThatReaches(from = '', to: string | null): Unit | undefined {
  const length = Date.parse(to ?? '') - Date.parse(from);
  if (Number.isNaN(length)) return /T00:00/.test(from) ? 'day' : 'hour';
  return UNITS.find((unit) => length <= LONGEST[unit]);
}

type Form = 'time' | 'day' | 'month' | 'year' | 'fullHour' | 'fullDay' | 'fullMonth' | 'moment' | 'clock';

const FORMS: Record<Form, Intl.DateTimeFormatOptions> = {
  time: { hour: 'numeric' },
  day: { month: 'short', day: 'numeric' },
  month: { month: 'short' },
  year: { year: 'numeric' },
  fullHour: { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  fullDay: { year: 'numeric', month: 'short', day: 'numeric' },
  fullMonth: { year: 'numeric', month: 'long' },
  moment: { dateStyle: 'medium', timeStyle: 'short' },
  clock: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
};

/** By form, locale and zone. The calendar is Gregorian in every language, as the buckets are. */
const formatter = kept((key) => {
  const [form, locale, timeZone] = key.split('|') as [Form, string, string];
  const made = (zone: string) =>
    new Intl.DateTimeFormat(locale, { ...FORMS[form], calendar: 'gregory', timeZone: zone });
  try {
    return made(timeZone);
  } catch {
    return made('UTC');
  }
});

export class Dates {
  private readonly locale: string;
  private readonly timezone: string;

  constructor(locale: string, timezone: string) {
    this.locale = locale;
    this.timezone = timezone;
  }

  /** A bucket's label on an axis: only the part of the date that `form` names. */
  short(time: number, form: 'time' | 'day' | 'month' | 'quarter' | 'year'): string {
    if (form === 'quarter') return this.quarter(time);
    return this.written(form, time, 'UTC');
  }

  /** A bucket's whole date. */
  full(time: number, unit: Unit): string {
    if (unit === 'hour') return this.written('fullHour', time, 'UTC');
    if (unit === 'quarter') return `${this.quarter(time)} ${this.short(time, 'year')}`;
    if (unit === 'year') return this.short(time, 'year');
    return this.written(unit === 'month' ? 'fullMonth' : 'fullDay', time, 'UTC');
  }

  /** Date and time of an instant in the zone; null if the text is not a date. */
  moment(text: string): string | null {
    const time = Date.parse(text);
    return Number.isNaN(time) ? null : this.written('moment', time, this.timezone);
  }

  /** When something happened, as precisely as a bucket of this unit, but at least by its day. */
  instant(text: string, unit: Unit): string {
    const time = Date.parse(text);
    if (Number.isNaN(time)) return '';
    return unit === 'hour' ? this.written('fullHour', time, this.timezone) : this.day(time);
  }

  /** The range as text. `to` is exclusive: the text ends just before it. */
  range({ from, to }: Pick<CardBasis, 'from' | 'to'>): string {
    const start = from === null ? Number.NaN : Date.parse(from);
    const end = to === null ? Number.NaN : Date.parse(to) - 1;
    const say = chartTranslator(this.locale);
    if (Number.isNaN(end)) return Number.isNaN(start) ? say('all time') : say('since {day}', { day: this.day(start) });
    if (Number.isNaN(start)) return say('until {day}', { day: this.day(end) });
    const form = end - start < 2 * DAY - 1 && !this.isWholeDays(start, end) ? 'moment' : 'fullDay';
    return formatter(`${form}|${this.locale}|${this.timezone}`).formatRange(Math.min(start, end), Math.max(start, end));
  }

  private isWholeDays(start: number, end: number): boolean {
    const isMidnight = (time: number) => formatter(`clock|en-u-hc-h23|${this.timezone}`).format(time) === '00:00:00';
    return isMidnight(start) && isMidnight(end + 1);
  }

  private quarter(time: number): string {
    return chartTranslator(this.locale)('Q{quarter}', { quarter: Math.floor(new Date(time).getUTCMonth() / 3) + 1 });
  }

  private day(time: number): string {
    return this.written('fullDay', time, this.timezone);
  }

  private written(form: Form, time: number, zone: string): string {
    return formatter(`${form}|${this.locale}|${zone}`).format(time);
  }
}
