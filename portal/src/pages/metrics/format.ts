import type { Presented, RenderedCard } from '../../../../src/charts/answer.ts';
import { NOTHING, numbersOf, type ShownValues, shownValuesOf } from '../../../../src/charts/numbers.ts';
import type { Schemas } from '../../api/schemas.ts';
import { LOCALE } from '../../language/index.ts';
import { isFormula } from './words.ts';

type Definition = Pick<Schemas['Metric'], 'title' | 'format' | 'unit' | 'goodDirection' | 'formula'>;
type Answer = Schemas['AggregateAnswer'];
export type ValueFormat = Pick<Definition, 'format' | 'unit' | 'formula'>;

const isRate = ({ formula }: ValueFormat) => !isFormula(formula) && formula.aggregation === 'rate';

function valuesIn(locale: string, metric: ValueFormat): ShownValues {
  const { format, unit } = metric;
  return shownValuesOf(numbersOf(locale), { format, unit }, isRate(metric));
}

/** True if values are ratios that are written in percent. */
export function isInPercent(metric: ValueFormat): boolean {
  return valuesIn('en', metric).isPercent;
}

/** A value in the metric's format and unit: "1,204 USD", "70.2%". */
export function formatValue(value: number | null, metric: ValueFormat, locale: string): string {
  return value === null ? NOTHING : valuesIn(locale, metric).formatted(value);
}

/** The answer about a metric as two cards: its value, and a line of its days. */
export function picturesOf(answer: Answer, metric: Definition): { value: RenderedCard; line: RenderedCard } {
  const { value, previous, series = [], annotations, basis } = answer;
  const { title, format, unit, goodDirection } = metric;
  const presented: Presented = { format, unit, goodDirection };
  const formatted = formatValue(value, metric, LOCALE);
  return {
    value: {
      card: { title, cardType: isRate(metric) ? 'rate' : 'number' },
      data: { value, formatted, previous, ...presented },
      basis,
    },
    line: { card: { title, cardType: 'line' }, data: { series, annotations, ...presented }, basis },
  };
}
