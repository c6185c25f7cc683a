import type { NumberFormat, Presented } from './answer.ts';
import { type ChartTranslator, chartTranslator, kept } from './locale.ts';
import { plain } from './text.ts';

export interface Numbers {
  /** Texts around numbers, in the same language. */
  say: ChartTranslator;
  /** True where numbers are written as in the server's answers. */
  matchesServer: boolean;
  /** At most two decimals, or three significant digits below 1. */
  full(value: number | null): string;
  /** Three significant digits: 1.2K, 3.4M; all digits where the language has no short form. */
  compact(value: number): string;
  /**
   * A ratio in percent: 0.702 is 70.2%. What exists is never 0%, and a part never 100%: 0.9997 is
   * 99.97%.
   */
  percent(ratio: number): string;
  /** In a card's `format`, with the same digits as the server's `formatted`. */
  formatted(value: number, format: NumberFormat): string;
  /** A ratio in percent, in a card's `format`. */
  rate(value: number, format: NumberFormat): string;
}

/** Writes the values of a card, in its format. */
export interface ShownValues {
  isPercent: boolean;
  full(value: number | null): string;
  /** With the digits of the server's `formatted`. */
  formatted(value: number): string;
  compact(value: number): string;
  /** On an axis. A long unit is not repeated: it stands beside the axis. */
  tick(value: number, isShort: boolean): string;
  /** Empty unless it stands beside the axis. */
  axisUnit: string;
}

export const NOTHING = '–';

/** From this up, and below `TINY`, numbers are written in scientific notation. */
export const HUGE = 1e15;
const TINY = 1e-6;
const LARGEST = Number.MAX_VALUE;
/** A larger ratio is written as a factor. */
const MOST_IN_PERCENT = 1e3;

export const numbersOf: (locale: string) => Numbers = kept((locale) => {
  const made = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options);
  const large = made({ maximumFractionDigits: 2 });
  const small = made({ maximumSignificantDigits: 3 });
  const short = made({ notation: 'compact', maximumSignificantDigits: 3 });
  const whole = made({ maximumFractionDigits: 0 });
  const scientific = made({ notation: 'scientific', maximumFractionDigits: 2 });
  const percentWith = kept((digits) => made({ style: 'percent', maximumFractionDigits: Number(digits) }));
  const ratio = percentWith('1');
  const fixed = kept((digits) =>
    made({ minimumFractionDigits: Number(digits), maximumFractionDigits: Number(digits) }),
  );

  const matchesServer = large.format(-1_234_567.5) === '-1,234,567.5' && ratio.format(0.702) === '70.2%';
  const [beforeRate, afterRate] = aroundNumber(ratio);
  const full = (value: number | null) => {
    if (value === null) return NOTHING;
    return (isUnusual(value) ? scientific : Math.abs(value) >= 1 ? large : small).format(value);
  };
  const compact = (value: number) => {
    if (isUnusual(value)) return scientific.format(value);
    // Where the language has no short form, rounding would write 2097 as "2100", which looks exact.
    const isShort = Math.abs(value) < 1e3 || short.formatToParts(value).some(({ type }) => type === 'compact');
    return (isShort ? short : whole).format(value);
  };
  const formatted = (value: number, { prefix = '', suffix = '', decimals }: NumberFormat) => {
    const format = decimals !== undefined ? fixed(String(decimals)) : Math.abs(value) >= 1 ? large : small;
    const text = format.format(Math.abs(value));
    return `${value < 0 && text !== format.format(0) ? '-' : ''}${prefix}${text}${suffix}`;
  };
  return {
    say: chartTranslator(locale),
    matchesServer,
    full,
    compact,
    percent: (value) => {
      if (Math.abs(value) >= MOST_IN_PERCENT) return `${compact(value)}×`;
      return percentWith(String(decimalsOfPercent(decimal(value * 100)))).format(value);
    },
    formatted,
    rate: (value, { prefix = '', suffix, decimals }) => {
      const signs = suffix === undefined ? { prefix: prefix + beforeRate, suffix: afterRate } : { prefix, suffix };
      const percent = decimal(Math.max(-LARGEST, Math.min(LARGEST, value * 100)));
      return formatted(percent, { ...signs, decimals: decimals ?? decimalsOfPercent(percent) });
    },
  };
});

/** Characters. A longer unit stands beside an axis. */
const LONGEST_SIGN = 3;

export function shownValuesOf(numbers: Numbers, presented: Presented = {}, isRate = false): ShownValues {
  const isPercent = presented.format?.percent ?? isRate;
  const format = withUnit(presented, isPercent);
  const { prefix = '', suffix = '', decimals } = format;
  const around = (write: (value: number) => string, value: number) =>
    `${value < 0 ? '-' : ''}${prefix}${write(Math.abs(value))}${suffix}`;
  const isPlain = prefix === '' && suffix === '' && decimals === undefined;
  const percent = isPlain ? numbers.percent : (value: number) => numbers.rate(value, format);
  const number = (value: number) => {
    if (isPlain) return numbers.full(value);
    return isUnusual(value) ? around(numbers.full, value) : numbers.formatted(value, format);
  };
  const written = isPercent ? percent : number;
  const full = (value: number | null) => (value === null ? NOTHING : written(value));
  const formatted = (value: number) => (isPercent ? numbers.rate : numbers.formatted)(value, format);
  if (isPercent) return { isPercent, full, formatted, compact: numbers.percent, tick: numbers.percent, axisUnit: '' };
  const compact = prefix + suffix === '' ? numbers.compact : (value: number) => around(numbers.compact, value);
  const unit = plain(`${prefix.trim()} ${suffix.trim()}`);
  const axisUnit = unit.length > LONGEST_SIGN ? unit : '';
  return {
    isPercent,
    full,
    formatted,
    compact,
    tick: (value, isShort) => {
      const write = isShort ? numbers.compact : numbers.full;
      return axisUnit !== '' || unit === '' ? write(value) : around(write, value);
    },
    axisUnit,
  };
}

/** The format with the unit as suffix, as the server writes it. */
function withUnit({ format = {}, unit }: Presented, isPercent: boolean): NumberFormat {
  const hasSign = isPercent || (format.prefix ?? '') !== '' || (format.suffix ?? '') !== '';
  return unit === undefined || hasSign ? format : { ...format, suffix: unit === '%' ? unit : ` ${unit}` };
}

function isUnusual(value: number): boolean {
  return Math.abs(value) >= HUGE || (value !== 0 && Math.abs(value) < TINY);
}

/** The text that the language puts before and after a number: the percent sign and spaces. */
function aroundNumber(format: Intl.NumberFormat): [before: string, after: string] {
  const parts = format.formatToParts(0);
  const number = parts.findIndex(({ type }) => type === 'integer');
  const text = (some: typeof parts) => some.map(({ value }) => value).join('');
  return [text(parts.slice(0, number)), text(parts.slice(number + 1))];
}

const MOST_DECIMALS = 12;

/**
 * One decimal, or more for a number that would be rounded to 0 or 100, as in
 * `core/analytics/dashboards/format.ts`.
 */
function decimalsOfPercent(percent: number): number {
  const size = Math.abs(percent);
  const isRounded = (decimals: number) => [0, 100].includes(Number(size.toFixed(decimals))) && ![0, 100].includes(size);
  let decimals = 1;
  while (decimals < MOST_DECIMALS && isRounded(decimals)) decimals += 1;
  return decimals;
}

/** Rounds as the server does: 28.499999999999996 is 28.5. Numbers from `HUGE` up become whole. */
function decimal(value: number): number {
  return Number(Math.abs(value) < HUGE ? value.toPrecision(15) : value.toFixed(0));
}
