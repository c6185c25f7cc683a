import { SIGNIFICANT_DIGITS } from '../../../../core/analytics/events/decimals.ts';
import type { Formula } from '../../../../core/analytics/events/formula.ts';
import type { PartMetric } from '../../../../core/analytics/events/query-plan.ts';
import { number } from './literals.ts';

/**
 * The formula's rounded value. Each step is a pair of the value and the magnitude that its digits
 * count from (`core/analytics/events/decimals.ts`), passed to the next by a lambda: the engine
 * copies an alias into each of its uses, which doubles the statement with each level.
 */
export function formulaSql(formula: Formula, parts: PartMetric[], columns: string[]): string {
  const visit = (one: Formula): string => {
    switch (one.kind) {
      case 'number':
        return pair(`${number(one.value)}`, `${number(one.value)}`);
      case 'part': {
        const column = `toFloat64(${columns[one.index]})`;
        const value = parts[one.index]!.aggregation === 'sum' ? `ifNull(${column}, 0)` : column;
        return pair(value, `abs(${value})`);
      }
      case 'negative':
        return step([visit(one.of)], (of) => [`-${of}.1`, `${of}.2`]);
      case 'operation':
        return step([visit(one.left), visit(one.right)], (left, right) => operation(one.operator, left!, right!));
    }
  };
  return `arrayMap(r -> ${decimalSql('r.1', 'r.2')}, [${visit(formula)}])[1]`;
}

function pair(value: string, magnitude: string): string {
  const nullable = (one: string) => `CAST(${one} AS Nullable(Float64))`;
  return `tuple(${nullable(value)}, ${nullable(magnitude)})`;
}

/** `next` sees the pairs by names. */
function step(pairs: string[], next: (...names: string[]) => [value: string, magnitude: string]): string {
  const names = pairs.map((_, at) => `a${at}`);
  const [value, magnitude] = next(...names);
  return `arrayMap((${names.join(', ')}) -> ${pair(value, magnitude)}, ${pairs.map((one) => `[${one}]`).join(', ')})[1]`;
}

/**
 * Magnitudes add up as in a sum; in products and quotients the larger relative one counts. A
 * division by 0 is NULL.
 */
function operation(operator: '+' | '-' | '*' | '/', a: string, b: string): [value: string, magnitude: string] {
  switch (operator) {
    case '+':
    case '-':
      return [`${a}.1 ${operator} ${b}.1`, `${a}.2 + ${b}.2`];
    case '*':
      return [`${a}.1 * ${b}.1`, `greatest(${a}.2 * abs(${b}.1), abs(${a}.1) * ${b}.2)`];
    case '/': {
      const divisor = `nullIf(${b}.1, 0)`;
      return [
        `${a}.1 / ${divisor}`,
        `greatest(${a}.2 / abs(${divisor}), abs(${a}.1 / ${divisor}) * (${b}.2 / abs(${divisor})))`,
      ];
    }
  }
}

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
/** The smallest magnitude: 0 has no logarithm. */
const SMALLEST = 1e-280;
/** From 2^52 on a double has no fraction. */
const WHOLE = 4_503_599_627_370_496;
