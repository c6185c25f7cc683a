import type { CardType, Presented, RenderedCard } from '../../../../../src/charts/answer.ts';
import { numbersOf, shownValuesOf } from '../../../../../src/charts/numbers.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { LOCALE } from '../../../language/index.ts';
import { sinceFirst } from '../../../question/state/text.ts';
import { type KpiQuestion, titleOf } from './state.ts';

type Answer = Schemas['AggregateAnswer'];
export type Look = 'line' | 'bar' | 'pie';

/** The chart types that suit an answer, the default first; none for a single value. */
export function looksOf({ dateGrouping, group_by }: KpiQuestion): Look[] {
  if (dateGrouping !== undefined) return ['line', 'bar'];
  return group_by === undefined ? [] : ['bar', 'pie'];
}

export function lookOf(question: KpiQuestion, chosen: string | undefined): Look | null {
  const looks = looksOf(question);
  return looks.find((look) => look === chosen) ?? looks[0] ?? null;
}

/** The answer as a rendered card, for the charts. `metric`: the version that the answer used. */
export function renderedOf(answer: Answer, question: KpiQuestion, look: Look | null, metric?: Presented): RenderedCard {
  const { value, numerator, denominator, previous, series, groups, annotations, basis } = answer;
  const isRate = [question.aggregation, basis.aggregation].includes('rate');
  const presented = metric ? { format: metric.format, unit: metric.unit, goodDirection: metric.goodDirection } : {};
  const cardType: CardType = look ?? (isRate ? 'rate' : 'number');
  const card = { title: titleOf(question), cardType };
  if (series) return { card, data: { series, ...(annotations && { annotations }), ...presented }, basis };
  if (groups) return { card, data: { groups, ...presented }, basis };
  const values = shownValuesOf(numbersOf(LOCALE), presented, isRate);
  const formatted = value !== null && values.isPercent ? values.formatted(value) : values.full(value);
  return { card, data: { value, formatted, numerator, denominator, previous, ...presented }, basis };
}

/** The card for the builder; null if no card type can ask the question. */
export function cardOf(question: KpiQuestion, look: Look | null, answer: Pick<Answer, 'series'> = {}) {
  const { metric, aggregation, numerator, compareTo, dateGrouping, group_by, limit, propertyKey, ...asked } = question;
  const common = { ...asked, ...sinceFirst(asked, answer.series?.[0]?.bucket) };
  const compared = { ...common, ...(compareTo && { compareTo }) };
  if (aggregation === 'rate') {
    if (look !== null) return null;
    return { cardType: 'rate', config: { ...compared, numerator } };
  }
  const measure =
    metric !== undefined ? { metric } : { aggregation, ...(propertyKey !== undefined && { propertyKey }) };
  if (look === null) return { cardType: 'number', config: { ...measure, ...compared } };
  const grouped = { ...(group_by && { groupBy: group_by }), ...(limit && { limit }) };
  return {
    cardType: look,
    config: { ...measure, ...common, ...(dateGrouping && { dateGrouping }), ...grouped },
  };
}
