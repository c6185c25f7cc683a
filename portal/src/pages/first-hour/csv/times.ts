export const TIME_FORMATS = [
  { value: 'iso', label: '2026-03-31 14:05' },
  { value: 'dmy', label: '31.3.2026, the day first' },
  { value: 'mdy', label: '3/31/2026, the month first' },
  { value: 'seconds', label: '1774965900, seconds since 1970' },
  { value: 'milliseconds', label: '1774965900000, milliseconds since 1970' },
] as const;
export type TimeFormat = (typeof TIME_FORMATS)[number]['value'];

/** Where a time names no zone of its own. */
export type TimeZoneChoice = 'local' | 'utc';

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
    for (const format of this.#fits) if (timeOf(cell, format, 'utc') === null) this.#fits.delete(format);
  }

  /** The formats that fit all values, the likelier one first. None: the column has no times. */
  formats(locale: string): TimeFormat[] {
    if (this.#count === 0) return [];
    const fits = TIME_FORMATS.map(({ value }) => value).filter((format) => this.#fits.has(format));
    const isMonthFirst = !this.#hasDots && /^en(-(US|PH|CA))?$/.test(locale);
    return isMonthFirst && fits[0] === 'dmy' ? fits.toReversed() : fits;
  }
}

/** ISO 8601 in UTC; null if it is no such time. */
export function timeOf(text: string, format: TimeFormat, zone: TimeZoneChoice): string | null {
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
  zone: TimeZoneChoice,
): string | null {
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  const parts = [year!, month! - 1, day!, hour, Number(minutes), Number(seconds)] as const;
  const utc = Date.UTC(...parts);
  // Date.UTC takes the 30th of February for a day of March.
  const shown = new Date(utc);
  if (shown.getUTCMonth() !== month! - 1 || shown.getUTCDate() !== day || hour > 23) return null;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  if (offset !== undefined) return new Date(utc - minutesOf(offset) * 60_000).toISOString();
  return (zone === 'utc' ? shown : new Date(...parts)).toISOString();
}

function minutesOf(offset: string): number {
  if (/^z$/i.test(offset)) return 0;
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0');
  return (offset[0] === '-' ? -1 : 1) * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2)));
}
