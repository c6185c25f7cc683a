import { decimal } from '../events/decimals.ts';
import type { ShownAs } from '../events/questions/question.ts';
import type { NumberFormat } from './config-schema.ts';

/** How the values of a card are written, and which change of them is good. */
export type Presentation = Partial<ShownAs>;

/**
 * The card's own format, completed by that of its metric. A unit becomes the suffix of a number
 * that has no other sign. `isRate`: in percent unless a format says otherwise.
 */
export function presentationOf(
  own: NumberFormat | undefined,
  isRate: boolean,
  shown: ShownAs | undefined,
): Presentation {
  if (!shown) return own ? { format: own } : {};
  const { unit, goodDirection } = shown;
  const merged: NumberFormat = { ...shown.format, ...own };
  const percent = merged.percent ?? isRate;
  const hasSign = percent || (merged.prefix ?? '') !== '' || (merged.suffix ?? '') !== '';
  const format = {
    ...merged,
    ...(percent ? { percent } : {}),
    ...(unit !== undefined && !hasSign ? { suffix: unit === '%' ? unit : ` ${unit}` } : {}),
  };
  return {
    ...(Object.keys(format).length > 0 ? { format } : {}),
    ...(unit === undefined ? {} : { unit }),
    ...(goodDirection === 'none' ? {} : { goodDirection }),
  };
}

/** The locale of API answers. */
const ENGLISH = 'en-US';

/** A value in its format. `isRate`: in percent unless the format says otherwise. */
export function formatValue(value: number | null, format: NumberFormat = {}, isRate = false, locale = ENGLISH): string {
  return (format.percent ?? isRate) ? formatRate(value, format, locale) : formatNumber(value, format, locale);
}

/** By default at most two decimals, or three significant digits below 1. */
export function formatNumber(
  value: number | null,
  { prefix = '', suffix = '', decimals }: NumberFormat = {},
  locale = ENGLISH,
): string {
  if (value === null) return '–';
  const text = Math.abs(value).toLocaleString(locale, digitsOf(value, decimals));
  return `${value < 0 && /[1-9]/.test(text) ? '-' : ''}${prefix}${text}${suffix}`;
}

function digitsOf(value: number, decimals: number | undefined): Intl.NumberFormatOptions {
  if (decimals !== undefined) return { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return Math.abs(value) >= 1 ? { maximumFractionDigits: 2 } : { maximumSignificantDigits: 3 };
}

/**
 * In percent: 0.702 is 70.2%. By default as many decimals as tell what exists from 0%, and a part
 * from 100%.
 */
export function formatRate(
  value: number | null,
  { prefix, suffix = '%', decimals }: NumberFormat = {},
  locale = ENGLISH,
): string {
  if (value === null) return formatNumber(null);
  const percent = decimal(value * 100);
  return formatNumber(percent, { prefix, suffix, decimals: decimals ?? decimalsOfPercent(percent) }, locale);
}

const MOST_DECIMALS = 12;

/**
 * One decimal, or more for a number that would be rounded to 0 or 100, as in `charts/numbers.ts`.
 */
function decimalsOfPercent(percent: number): number {
  const size = Math.abs(percent);
  const isRounded = (decimals: number) => [0, 100].includes(Number(size.toFixed(decimals))) && ![0, 100].includes(size);
  let decimals = 1;
  while (decimals < MOST_DECIMALS && isRounded(decimals)) decimals += 1;
  return decimals;
}
