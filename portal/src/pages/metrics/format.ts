import type { CardBasis, RenderedCard } from '../../../../src/charts/answer.ts';
import { NOTHING, numbersOf } from '../../../../src/charts/numbers.ts';
import type { Schemas } from '../../api/schemas.ts';
import { isFormula } from './words.ts';

type Definition = Pick<Schemas['Metric'], 'title' | 'format' | 'unit' | 'formula'>;
type Answer = Schemas['AggregateAnswer'];

/** True if values are ratios that are written in percent. */
export function isInPercent({ format, formula }: Pick<Definition, 'format' | 'formula'>): boolean {
  return format?.percent ?? (!isFormula(formula) && formula.aggregation === 'rate');
}

/** A value in the metric's format and unit: "1,204 USD", "70.2%". */
export function formatValue(value: number | null, metric: Omit<Definition, 'title'>, locale: string): string {
  if (value === null) return NOTHING;
  const numbers = numbersOf(locale);
  const format = numberFormat(metric);
  return isInPercent(metric) ? numbers.rate(value, format) : numbers.formatted(value, format);
}

/** The format with the unit after the number, unless the format already writes something there. */
function numberFormat({ format = {}, unit, ...metric }: Omit<Definition, 'title'>) {
  const { prefix, suffix, decimals } = format;
  const isWritten = suffix !== undefined || prefix !== undefined || isInPercent({ ...metric, format });
  return { prefix, decimals, suffix: suffix ?? (unit === undefined || isWritten ? undefined : ` ${unit}`) };
}

/** The answer about a metric as two cards: its value, and a line of its days. */
export function picturesOf(answer: Answer, metric: Definition): { value: RenderedCard; line: RenderedCard } {
  const basis = basisOf(answer.basis, metric);
  const { title } = metric;
  const format = numberFormat(metric);
  const formatted = formatValue(answer.value, metric, 'en');
  return {
    value: {
      card: { title, cardType: isInPercent(metric) ? 'rate' : 'number' },
      data: { value: answer.value, formatted, format, previous: answer.previous },
      basis,
    },
    line: { card: { title, cardType: 'line' }, data: { series: answer.series ?? [] }, basis },
  };
}

/** Charts write the values of a rate in percent. */
function basisOf(basis: Answer['basis'], metric: Definition): CardBasis {
  return isInPercent(metric) ? { ...basis, aggregation: 'rate' } : basis;
}
