import { t } from '../../../language/index.ts';
export const TIME_FORMATS = [
  { value: 'iso', label: '2026-03-31 14:05' },
  { value: 'dmy', label: t('31.3.2026, the day first') },
  { value: 'mdy', label: t('3/31/2026, the month first') },
  { value: 'seconds', label: t('1774965900, seconds since 1970') },
  { value: 'milliseconds', label: t('1774965900000, milliseconds since 1970') },
] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number]['value'];

const OFFSET = '(Z|[+-]\\d{2}(?::?\\d{2})?)?';
const CLOCK = '(?:[T ,]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:[.,]\\d{1,9})?)?(?: ?([ap])\\.?m\\.?)?)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${CLOCK} ?${OFFSET}$`, 'i');
const YEAR_LAST = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4}|\\d{2})${CLOCK} ?${OFFSET}$`, 'i');
/** From 2001 on; smaller numbers are amounts. */
const SECONDS = /^1\d{9}$/;
const MILLISECONDS = /^1\d{12}$/;

/** Judges whether the values of a column are times, and how they are written. */
export class TimeJudge {
  #fits = new Set<TimeFormat>(TIME_FORMATS.map(({ value }) => value));
  #count = 0;
  #hasDots = false;

  see(text: string): void {
    const cell = text.trim();
    if (cell === '' || this.#fits.size === 0) return;
    this.#count += 1;
    if (/^\d+\./.test(cell)) this.#hasDots = true;
    for (const format of this.#fits) if (timeOf(cell, format, 'UTC') === null) this.#fits.delete(format);
  }

  /** The formats that fit all values, the likelier one first. None: the column has no times. */
  formats(locale: string): TimeFormat[] {
    if (this.#count === 0) return [];
    const fits = TIME_FORMATS.map(({ value }) => value).filter((format) => this.#fits.has(format));
    const isMonthFirst = !this.#hasDots && /^en(-(US|PH|CA))?$/.test(locale);
    return isMonthFirst && fits[0] === 'dmy' ? fits.toReversed() : fits;
  }
}

/** ISO 8601 in UTC; null if it is no such time. `zone` is that of times which name none. */
export function timeOf(text: string, format: TimeFormat, zone: string): string | null {
  const cell = text.trim();
  if (format === 'seconds') return SECONDS.test(cell) ? new Date(Number(cell) * 1_000).toISOString() : null;
  if (format === 'milliseconds') return MILLISECONDS.test(cell) ? new Date(Number(cell)).toISOString() : null;
  const found = (format === 'iso' ? YEAR_FIRST : YEAR_LAST).exec(cell);
  if (!found) return null;
  const [, first, second, third, ...clock] = found;
  const [year, month, day] =
    format === 'iso' ? [first, second, third] : format === 'dmy' ? [third, second, first] : [third, first, second];
  return atOf([year!.length === 2 ? `20${year}` : year!, month!, day!].map(Number), clock, zone);
}

function atOf(
  [year, month, day]: number[],
  [hours = '0', minutes = '0', seconds = '0', half, offset]: (string | undefined)[],
  zone: string,
): string | null {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const utc = Date.UTC(year!, month! - 1, day!, hour, Number(minutes), Number(seconds));
  // Date.UTC takes the 30th of February for a day of March.
  const shown = new Date(utc);
  if (shown.getUTCMonth() !== month! - 1 || shown.getUTCDate() !== day || hour > 23) return null;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (offset !== undefined) return new Date(utc - minutesOf(offset) * 60_000).toISOString();
  return new Date(zone === 'UTC' ? utc : instantOf(utc, zone)).toISOString();
}

const DAY_MS = 86_400_000;

/**
 * The instant at which clocks of the zone show what those of UTC show at `utc`. As the server has it, the earlier
 * one where clocks are set back; where they are set forward, the time that is left out is an hour later.
 */
function instantOf(utc: number, zone: string): number {
  const [before, after] = [offsetAt(utc - DAY_MS, zone), offsetAt(utc + DAY_MS, zone)];
  const isAfter = offsetAt(utc - before, zone) !== before && offsetAt(utc - after, zone) === after;
  return utc - (isAfter ? after : before);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds by which clocks of the zone are ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const clock = clocks.get(zone) ?? clockOf(zone);
  clocks.set(zone, clock);
  const shown = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const at = (part: Intl.DateTimeFormatPartTypes) => shown.get(part)!;
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')) - instant;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const [date, time] = [
    { year: 'numeric', month: 'numeric', day: 'numeric' },
    { hour: 'numeric', minute: 'numeric', second: 'numeric' },
  ] as const;
  return new Intl.DateTimeFormat('en', { ...date, ...time, hourCycle: 'h23', timeZone });
}

function minutesOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return (offset[0] === '-' ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)));
}
