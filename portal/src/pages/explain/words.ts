import { numbersOf } from '../../../../src/charts/numbers.ts';
import { inPoints, pointsOf } from '../../../../src/charts/value.ts';
import type { Schemas } from '../../api/schemas.ts';
import { formatValue, isInPercent } from '../metrics/format.ts';
import { type MeasureDefinition, measureInWords } from '../metrics/words.ts';
import type { ExplainQuestion } from './state.ts';

export type ExplainedMetric = Pick<Schemas['Metric'], 'title' | 'format' | 'unit' | 'formula' | 'goodDirection'>;

/** The metric of the question, once it is known, or the measure that the question has. */
export function explainedMetric(question: ExplainQuestion, metric: ExplainedMetric | undefined): ExplainedMetric {
  if (metric) return metric;
  const formula = { aggregation: 'count', ...question, eventName: question.eventName ?? '' } as MeasureDefinition;
  const title = question.metric ?? measureInWords(formula);
  return { title, formula, goodDirection: 'none' };
}

export interface ValueFormatter {
  value(value: number | null): string;
  /** With its sign: "+12", "−3.4 points". */
  difference(value: number | null): string;
  /** A difference without its `unit`, which a table's head has. */
  amount(value: number | null): string;
  /** The unit of a difference; null if the number says it. */
  unit: 'points' | null;
  percent(ratio: number): string;
}

export function valueFormatterOf(metric: ExplainedMetric, locale: string): ValueFormatter {
  const numbers = numbersOf(locale);
  const value = (one: number | null) => formatValue(one, metric, locale);
  const signed = (one: number | null, format: (size: number) => string) => {
    if (one === null) return value(null);
    return `${one > 0 ? '+' : one < 0 ? '−' : ''}${format(Math.abs(one))}`;
  };
  const isRatio = isInPercent(metric);
  return {
    value,
    difference: (one) => signed(one, isRatio ? (size) => inPoints(size, numbers) : value),
    amount: (one) => signed(one, isRatio ? (size) => numbers.full(pointsOf(size)) : value),
    unit: isRatio ? 'points' : null,
    percent: numbers.percent,
  };
}
