import { SIGNIFICANT_DIGITS } from '../../../../core/analytics/events/decimals.ts';

/**
 * `decimal` of `core/analytics/events/decimals.ts`. NULL for infinity and NaN, which JSON does not
 * have.
 */
export function decimalSql(value: string, magnitude: string): string {
  const exponent = `floor(log10(nullif(${magnitude}, 0)) - ${LOG_ERROR})`;
  const places = `greatest(0, ${SIGNIFICANT_DIGITS - 1} - ${exponent})::INTEGER`;
  return `CASE WHEN isfinite(${value}) THEN round(${value}, ${places}) END`;
}

/**
 * Just below a power of ten log10 gives its exponent. Just above one, this gives a digit more,
 * which the error bound allows.
 */
const LOG_ERROR = 4e-15;
