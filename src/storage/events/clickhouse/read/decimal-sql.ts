import { SIGNIFICANT_DIGITS } from '../../../../core/analytics/events/decimals.ts';

/**
 * `decimal` of `core/analytics/events/decimals.ts`. NULL for infinity and NaN, which JSON does not
 * have. The engine's `round` rounds halves to even, so that 10^15 + 0.5 would lose its half.
 * `value` and `magnitude` are names: they are repeated.
 */
export function decimalSql(value: string, magnitude: string): string {
  const exponent = `floor(log10(greatest(${magnitude}, ${SMALLEST})) - ${LOG_ERROR})`;
  const scale = `exp10(greatest(0, ${SIGNIFICANT_DIGITS - 1} - ${exponent}))`;
  const rounded = `sign(${value}) * floor(abs(${value}) * ${scale} + 0.5) / ${scale}`;
  return `if(abs(${value}) < ${WHOLE}, ${rounded}, ${finiteSql(value)})`;
}

/** NULL for infinity and NaN. */
export function finiteSql(value: string): string {
  return `if(isFinite(${value}), ${value}, NULL)`;
}

/** Just below a power of ten log10 gives its exponent. */
const LOG_ERROR = 4e-15;
/** Of a magnitude: 0 has no logarithm. */
const SMALLEST = 1e-280;
/** From 2^52 on a double has no fraction. */
const WHOLE = 4_503_599_627_370_496;
