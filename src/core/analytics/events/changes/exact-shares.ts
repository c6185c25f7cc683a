import { SIGNIFICANT_DIGITS } from '../decimals.ts';

/**
 * The numbers, rounded to so many decimal places that the largest has 15 significant digits, such
 * that in decimal arithmetic they add up to the total exactly. The last one takes the remainder of
 * the rounding.
 */
export function exactShares(numbers: readonly number[], total: number): number[] {
  if (numbers.length === 0) return [];
  const places = placesOf([total, ...numbers]);
  const scale = 10 ** places;
  const whole = numbers.map((number) => Math.round(number * scale));
  const remainder = Math.round(total * scale) - whole.reduce((sum, one) => sum + one, 0);
  whole[whole.length - 1]! += remainder;
  return whole.map((one) => Number((one / scale).toFixed(places)) + 0);
}

const MAX_PLACES = 20;

function placesOf(numbers: readonly number[]): number {
  const largest = Math.max(...numbers.map(Math.abs));
  if (largest === 0 || !Number.isFinite(largest)) return 0;
  const exponent = Number(largest.toExponential().split('e')[1]);
  return Math.min(MAX_PLACES, Math.max(0, SIGNIFICANT_DIGITS - 1 - exponent));
}
