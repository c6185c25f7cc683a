/*
 * Exact decimal arithmetic, rounded once at the end: a result has 15 significant digits, counted
 * from the magnitude of what it was computed from, and is never rounded to tens.
 */

/** `digits` × 10^`exponent`. */
interface Decimal {
  digits: bigint;
  exponent: number;
}

/** The decimal number that was sent: the shortest text of the double. */
export function decimalOf(number: number): Decimal {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e(.+))?$/.exec(String(number))!;
  return { digits: BigInt(sign! + whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Of the same exponent. */
function aligned(numbers: number[]): { digits: bigint[]; exponent: number } {
  const decimals = numbers.map(decimalOf);
  const exponent = decimals.reduce((least, one) => Math.min(least, one.exponent), 0);
  return { digits: decimals.map((one) => one.digits * 10n ** BigInt(one.exponent - exponent)), exponent };
}

/** The sum of each number times its weight, divided by a whole number. */
export function weightedSum(terms: [number: number, weight: number][], divisor = 1): number {
  return linear(terms, divisor, 'of the terms');
}

/** As `weightedSum`, with the digits counted from the result itself. */
export function interpolated(terms: [number: number, weight: number][], divisor: number): number {
  return linear(terms, divisor, 'of the result');
}

function linear(
  terms: [number: number, weight: number][],
  divisor: number,
  magnitude: 'of the terms' | 'of the result',
) {
  const { digits, exponent } = aligned(terms.map(([number]) => number));
  const weighted = digits.map((one, at) => one * BigInt(terms[at]![1]));
  const sum = weighted.reduce((total, one) => total + one, 0n);
  const size =
    magnitude === 'of the result' ? absolute(sum) : weighted.reduce((total, one) => total + absolute(one), 0n);
  return rounded(sum, BigInt(divisor), exponent, size);
}

/** The difference of two results, with the digits counted from the larger. */
export function differenceOf(one: number, other: number): number {
  const { digits, exponent } = aligned([one, other]);
  const [first, second] = digits as [bigint, bigint];
  const [a, b] = [absolute(first), absolute(second)];
  return rounded(first - second, 1n, exponent, a > b ? a : b);
}

export function quotient(numerator: number, denominator: number): number {
  const [p, q] = aligned([numerator, denominator]).digits as [bigint, bigint];
  return rounded(q < 0n ? -p : p, absolute(q), 0, absolute(p));
}

/** A fraction, with the digits counted from the magnitude, another one. Denominators are positive. */
export function roundedQuotient(
  value: { numerator: bigint; denominator: bigint },
  magnitude: { numerator: bigint; denominator: bigint },
): number {
  const denominator = value.denominator * magnitude.denominator;
  return rounded(value.numerator * magnitude.denominator, denominator, 0, magnitude.numerator * value.denominator);
}

const SIGNIFICANT_DIGITS = 15;

/** `value / divisor` × 10^`exponent`, to the digits of `magnitude / divisor` × 10^`exponent`. */
function rounded(value: bigint, divisor: bigint, exponent: number, magnitude: bigint): number {
  if (value === 0n) return 0;
  const last = Math.min(0, leadingPlace(magnitude, divisor) + exponent - (SIGNIFICANT_DIGITS - 1));
  const shift = exponent - last;
  const above = absolute(value) * 10n ** BigInt(Math.max(0, shift));
  const below = divisor * 10n ** BigInt(Math.max(0, -shift));
  const nearest = (2n * above + below) / (2n * below);
  return nearest === 0n ? 0 : Number(`${value < 0n ? '-' : ''}${nearest}e${last}`);
}

/** The power of ten of the first digit of a positive quotient. */
function leadingPlace(numerator: bigint, denominator: bigint): number {
  const place = String(numerator).length - String(denominator).length;
  const [above, below] =
    place < 0 ? [numerator * 10n ** BigInt(-place), denominator] : [numerator, denominator * 10n ** BigInt(place)];
  return above < below ? place - 1 : place;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
