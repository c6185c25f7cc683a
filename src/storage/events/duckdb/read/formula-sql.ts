import { SIGNIFICANT_DIGITS } from '../../../../core/analytics/events/decimals.ts';
import type { Formula } from '../../../../core/analytics/events/formula.ts';
import type { PartMetric } from '../../../../core/analytics/events/query-plan.ts';

/** Names of columns. */
interface Value {
  value: string;
  /** The size that the digits count from (`core/analytics/events/decimals.ts`). */
  magnitude: string;
}

/**
 * `expression AS name` for each step of the formula, the last one rounded and called `name`. A step
 * names the columns of earlier ones: as one expression, the text would double with each level.
 */
export function formulaColumns(
  formula: Formula,
  parts: PartMetric[],
  named: { name: string; parts: string[] },
  bind: (value: number) => string,
): string[] {
  const columns: string[] = [];
  const step = (value: string, magnitude: string): Value => {
    const at = columns.length;
    const names = { value: `${named.name}_v${at}`, magnitude: `${named.name}_g${at}` };
    columns.push(`${value} AS ${names.value}`, `${magnitude} AS ${names.magnitude}`);
    return names;
  };
  const partValue = (index: number): Value => {
    const column = named.parts[index]!;
    // Between two counts, `/` and `-` would be those of integers.
    const value = `${column}::DOUBLE`;
    const sql = parts[index]!.aggregation === 'sum' ? `coalesce(${value}, 0)` : value;
    return step(sql, `abs(${sql})`);
  };
  const visit = (one: Formula): Value => {
    switch (one.kind) {
      case 'number':
        return step(`${bind(one.value)}::DOUBLE`, `${bind(one.value)}::DOUBLE`);
      case 'part':
        return partValue(one.index);
      case 'negative': {
        const { value, magnitude } = visit(one.of);
        return step(`-${value}`, magnitude);
      }
      case 'operation':
        return operation(one.operator, visit(one.left), visit(one.right), step);
    }
  };
  const result = visit(formula);
  return [...columns, `${decimalSql(result.value, result.magnitude)} AS ${named.name}`];
}

type Step = (value: string, magnitude: string) => Value;

/**
 * Magnitudes add up as in a sum; in products and quotients the larger relative one counts. A
 * division by 0 is NULL.
 */
function operation(operator: '+' | '-' | '*' | '/', left: Value, right: Value, step: Step): Value {
  const [a, b] = [left.value, right.value];
  const [sizeOfA, sizeOfB] = [left.magnitude, right.magnitude];
  switch (operator) {
    case '+':
    case '-':
      return step(`(${a} ${operator} ${b})`, `(${sizeOfA} + ${sizeOfB})`);
    case '*':
      return step(`(${a} * ${b})`, `greatest(${sizeOfA} * abs(${b}), abs(${a}) * ${sizeOfB})`);
    case '/': {
      const divisor = `nullif(${b}, 0)`;
      return step(
        `(${a} / ${divisor})`,
        `greatest(${sizeOfA} / abs(${divisor}), abs(${a} / ${divisor}) * (${sizeOfB} / abs(${divisor})))`,
      );
    }
  }
}

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
