import { SIGNIFICANT_DIGITS } from '../../../core/events/decimals.ts';

/**
 * `decimal` of `core/events/decimals.ts`. NULL for infinity and NaN, which JSON does not have. The engine's `round` rounds
 * halves to even, so that 10^15 + 0.5 would lose its half. `value` and `magnitude` are names: they are repeated.
 */
export function decimalSql(value: string, magnitude: string): string {
  const exponent = `ifNull(floor(log10(nullIf(${magnitude}, 0)) - ${LOG_ERROR}), ${SIGNIFICANT_DIGITS - 1})`;
  const places = `greatest(0, ${SIGNIFICANT_DIGITS - 1} - ${exponent})`;
  const scale = `exp10(${places})`;
  return (
    `multiIf(NOT ifNull(isFinite(${value}), false), NULL, ${places} > ${MAX_PLACES}, ${value}, abs(${value}) * ${scale} >= ${WHOLE}, ${value}, ` +
    `sign(${value}) * floor(abs(${value}) * ${scale} + 0.5) / ${scale})`
  );
}

/** NULL for infinity and NaN. */
export function finiteSql(value: string): string {
  return `if(ifNull(isFinite(${value}), false), ${value}, NULL)`;
}

/** Just below a power of ten log10 gives its exponent. */
const LOG_ERROR = 4e-15;
const MAX_PLACES = 100;
/** From 2^52 on a double has no fraction. */
const WHOLE = 4_503_599_627_370_496;
