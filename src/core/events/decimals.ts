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
 * 2u, a division and the rounding u each. Half of the last digit is 4.5u to 45u, so a sum of at most
 * 15 digits is exact (and in practice an average); of a longer one the last digit may differ by one.
 *
 * A percentile other than the median lies between two of n values, at a place that the store computes with an
 * error of up to n roundings: its magnitude is its absolute value, n times.
 *
 * Event stores round in their query language, so that groups are ordered, cut and tied as shown.
 */
export function decimal(value: number, magnitude = Math.abs(value)): number {
  if (value === 0) return 0;
  if (!Number.isFinite(magnitude)) return value;
  const exponent = Number(magnitude.toExponential().split('e')[1]);
  const places = Math.max(0, SIGNIFICANT_DIGITS - 1 - exponent);
  return places > MAX_PLACES ? value : Number(value.toFixed(places)) + 0;
}

export const SIGNIFICANT_DIGITS = 15;
/** Of `toFixed`. */
const MAX_PLACES = 100;
