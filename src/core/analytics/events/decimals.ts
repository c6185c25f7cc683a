/**
 * Sums, averages, rates, percentiles and changes are shown as decimal arithmetic gives them, to 15
 * significant digits: as many as a double holds of any decimal number.
 *
 * The digits count from the magnitude: the sum of the absolute values that a result was computed
 * from (for an average, divided by their number). Errors are relative to it, not to the result, so
 * that 0.1 + 0.2 - 0.3 is 0. A result is rounded to the last of these digits, but never to tens:
 * integers stay exact up to 2^53.
 *
 * With u = 2^-53, doubles differ from the decimals by at most u of the magnitude, a Kahan sum adds
 * 2u, the rounding u. Half of the last digit is 4.5u to 45u, so a sum of at most 15 digits is
 * exact; of a longer one the last digit may differ by one. Quotients often lie so near the middle
 * of two last digits that these errors decide: what is divided or multiplied is computed from shown
 * numbers, in exact fractions where doubles cannot tell (`quotient`, `evaluate` of `formula.ts`).
 *
 * A percentile other than the median lies between two of n values, at a place that the store
 * computes with an error of up to n roundings: its magnitude is its absolute value, n times.
 *
 * Event stores round in their query language, so that groups are ordered, cut and tied;
 * `exact-decimals.ts` corrects the last digit of what they divided.
 */
export function decimal(value: number, magnitude = Math.abs(value)): number {
  if (value === 0) return 0;
  const places = placesOf(magnitude);
  return places === null ? value : Number(value.toFixed(places)) + 0;
}

export const SIGNIFICANT_DIGITS = 15;
/** The limit of `toFixed`. */
const MAX_PLACES = 100;

/** Null if the value keeps every digit. */
function placesOf(magnitude: number): number | null {
  if (!Number.isFinite(magnitude)) return null;
  const exponent = Number(magnitude.toExponential().split('e')[1]);
  const places = Math.max(0, SIGNIFICANT_DIGITS - 1 - exponent);
  return places > MAX_PLACES ? null : places;
}

/** Whether so many roundings on the way to the value cannot have changed its last shown digit. */
export function isCertain(value: number, magnitude: number, roundings: number): boolean {
  const places = placesOf(magnitude);
  if (places === null || value === 0) return true;
  const scale = 10 ** places;
  const scaled = Math.abs(value) * scale;
  return Math.abs(scaled - Math.floor(scaled) - 0.5) > magnitude * scale * (roundings + 3) * HALF_ULP;
}

const HALF_ULP = 2 ** -53;

/** Two shown numbers divided, as decimal arithmetic does it. The denominator is not 0. */
export function quotient(numerator: number, denominator: number): number {
  const value = numerator / denominator;
  if (!Number.isFinite(value) || isCertain(value, Math.abs(value), 1)) return decimal(value);
  return roundedFraction(dividedBy(fractionOf(numerator), fractionOf(denominator)), Math.abs(value));
}

export interface Fraction {
  numerator: bigint;
  /** Positive. */
  denominator: bigint;
}

/** The decimal number that the double stands for: its shortest text. */
export function fractionOf(number: number): Fraction {
  const [mantissa, exponent] = number.toExponential().split('e') as [string, string];
  const [whole, decimals = ''] = mantissa.split('.') as [string, string?];
  const places = decimals.length - Number(exponent);
  const digits = BigInt(whole + decimals);
  if (places <= 0) return { numerator: digits * 10n ** BigInt(-places), denominator: 1n };
  return { numerator: digits, denominator: 10n ** BigInt(places) };
}

export function dividedBy(one: Fraction, other: Fraction): Fraction {
  const sign = other.numerator < 0n ? -1n : 1n;
  const numerator = one.numerator * other.denominator * sign;
  return { numerator, denominator: one.denominator * other.numerator * sign };
}

/** Rounded as by `decimal`, halves away from zero. */
export function roundedFraction({ numerator, denominator }: Fraction, magnitude: number): number {
  const places = placesOf(magnitude);
  if (places === null) return Number(numerator) / Number(denominator);
  const size = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(places);
  const digits = (2n * size + denominator) / (2n * denominator);
  return Number(`${numerator < 0n ? '-' : ''}${digits}e-${places}`) + 0;
}
