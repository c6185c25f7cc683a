import { unprocessable } from '../../../base/shared/errors.ts';
import type { DateContext } from '../../../base/time/dates.ts';
import { decimal, quotient } from '../decimals.ts';
import { evaluateFormula, type Formula, parseFormula } from '../formula.ts';
import { fieldOf, predicatesOf } from '../predicates.ts';
import type { BreakdownPart } from '../query-plan.ts';
import { oneOf } from '../questions/plan.ts';
import type { KpiQuestion } from '../questions/question.ts';
import { type Linear, linearOf, ratioOf } from './linear.ts';

/** The values of a measure's parts, which add up over groups. */
export type Parts = readonly number[];

/**
 * How a measure follows from parts that add up over groups, so that its change can be split among
 * them. `sum`: it adds up itself. `ratio`: a quotient of two that do. `other`: any other formula of
 * such parts.
 */
export interface ChangeMeasure {
  form: 'sum' | 'ratio' | 'other';
  parts: BreakdownPart[];
  valueOf(parts: Parts): number | null;
  /** The sum; a ratio also has `denominator`. */
  numerator: Linear;
  denominator: Linear | null;
  formula: Formula | null;
  /** Its parts count different events, of which one may follow another. */
  mixesEvents: boolean;
  /**
   * Sum of squared deviations of the events of a group from `ratio` (0 for a sum), as if events
   * were independent.
   */
  sumOfSquares(parts: Parts, ratio: number): number;
}

/** Throws `unprocessable` for a measure that does not follow from parts that add up. */
export function changeMeasureOf(question: KpiQuestion, dates: DateContext): ChangeMeasure {
  const { eventName, aggregation, propertyKey, numerator } = question;
  const field = propertyKey === undefined ? null : fieldOf(propertyKey);
  switch (aggregation) {
    case 'count':
      return countOf({ adds: 'count', field, where: [] });
    case 'sum':
      return sumOf(field);
    case 'avg':
      return averageOf(field);
    case 'rate': {
      const filters = predicatesOf(numerator?.filters ?? [], 'numerator.filters', dates);
      const counted = oneOf('eventName', [numerator?.eventName ?? eventName]);
      const isShare = (numerator?.eventName ?? eventName) === eventName;
      return rateOf([counted, ...filters], [oneOf('eventName', [eventName])], isShare);
    }
    case 'formula':
      return formulaOf(question, dates);
    default:
      throw unprocessable(
        `aggregation: the change of ${aggregation} cannot be split among groups; explain a count, sum, avg or rate, such as the avg of the same property.`,
      );
  }
}

const first: Linear = { constant: 0, coefficients: [1] };
const second: Linear = { constant: 0, coefficients: [0, 1] };

function countOf(part: BreakdownPart): ChangeMeasure {
  return {
    form: 'sum',
    parts: [part],
    valueOf: ([count]) => count!,
    numerator: first,
    denominator: null,
    formula: null,
    mixesEvents: false,
    sumOfSquares: ([count]) => count!,
  };
}

function sumOf(field: BreakdownPart['field']): ChangeMeasure {
  return {
    form: 'sum',
    parts: [
      { adds: 'sum', field, where: [] },
      { adds: 'squares', field, where: [] },
    ],
    valueOf: ([sum]) => sum!,
    numerator: first,
    denominator: null,
    formula: null,
    mixesEvents: false,
    sumOfSquares: ([, squares]) => squares!,
  };
}

function averageOf(field: BreakdownPart['field']): ChangeMeasure {
  return {
    form: 'ratio',
    parts: (['sum', 'numbers', 'squares'] as const).map((adds) => ({ adds, field, where: [] })),
    valueOf: ([sum, numbers]) => ratioOfSums(sum!, numbers!),
    numerator: first,
    denominator: second,
    formula: null,
    mixesEvents: false,
    sumOfSquares: ([sum, numbers, squares], average) => squares! - 2 * average * sum! + average * average * numbers!,
  };
}

/** `isShare`: the numerator counts some of the denominator's own events. */
function rateOf(
  numerator: BreakdownPart['where'],
  denominator: BreakdownPart['where'],
  isShare: boolean,
): ChangeMeasure {
  return {
    form: 'ratio',
    parts: [numerator, denominator].map((where) => ({ adds: 'count', field: null, where })),
    valueOf: ([part, all]) => ratioOfSums(part!, all!),
    numerator: first,
    denominator: second,
    formula: null,
    mixesEvents: !isShare,
    sumOfSquares: ([part, all], rate) => part! * (isShare ? 1 - 2 * rate : 1) + rate * rate * all!,
  };
}

const ADDING = new Set<string>(['count', 'sum']);

/** Its own parts come first, then the squares of those that are sums. */
function formulaOf({ formula: definition }: KpiQuestion, dates: DateContext): ChangeMeasure {
  const { expression, parts } = definition!;
  const names = Object.keys(parts);
  const own = names.map((name): BreakdownPart => {
    const { eventName, aggregation, propertyKey, filters = [] } = parts[name]!;
    if (!ADDING.has(aggregation)) {
      throw unprocessable(
        `formula.parts.${name}: the change of ${aggregation} cannot be split among groups; explain a formula of counts and sums.`,
      );
    }
    const where = [oneOf('eventName', [eventName]), ...predicatesOf(filters, `formula.parts.${name}.filters`, dates)];
    return {
      adds: aggregation as 'count' | 'sum',
      field: propertyKey === undefined ? null : fieldOf(propertyKey),
      where,
    };
  });
  const summed = own.flatMap((part, index) => (part.adds === 'sum' ? [index] : []));
  const squares = summed.map((index): BreakdownPart => ({ ...own[index]!, adds: 'squares' }));
  // A count's events add 1 each, so their squares are the count.
  const squaresOf = (values: Parts, index: number) =>
    summed.includes(index) ? values[own.length + summed.indexOf(index)]! : values[index]!;
  const weighed = ({ coefficients }: Linear, values: Parts) =>
    coefficients.reduce((sum, coefficient, index) => sum + coefficient * coefficient * squaresOf(values, index), 0);
  const formula = parseFormula(expression, names, 'formula.expression');
  const linear = linearOf(formula, names.length);
  const ratio = linear ? null : ratioOf(formula, names.length);
  const numerator = linear ?? ratio?.numerator ?? { constant: 0, coefficients: names.map(() => 1) };
  const denominator = ratio?.denominator ?? null;
  return {
    form: linear ? 'sum' : ratio ? 'ratio' : 'other',
    parts: [...own, ...squares],
    valueOf: (values) => evaluateFormula(formula, values.slice(0, names.length)),
    numerator,
    denominator,
    formula,
    mixesEvents: names.length > 1,
    sumOfSquares: (values, value) =>
      weighed(numerator, values) + (denominator ? value * value * weighed(denominator, values) : 0),
  };
}

/** The ratio that `aggregate_events` shows, of the shown sums. */
function ratioOfSums(numerator: number, denominator: number): number | null {
  return denominator === 0 ? null : quotient(decimal(numerator), decimal(denominator));
}
