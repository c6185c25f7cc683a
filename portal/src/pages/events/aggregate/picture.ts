import type { CardType, RenderedCard } from '../../../../../src/charts/answer.ts';
import { numbersOf } from '../../../../../src/charts/numbers.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { sinceFirst } from '../../../question/question-text.ts';
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

/** The answer as a rendered card, for the charts. */
export function renderedOf(answer: Answer, question: KpiQuestion, look: Look | null): RenderedCard {
  const { value, numerator, denominator, previous, series, groups, basis } = answer;
  const isRate = question.aggregation === 'rate';
  const cardType: CardType = look ?? (isRate ? 'rate' : 'number');
  const card = { title: titleOf(question), cardType };
  if (series) return { card, data: { series }, basis };
  if (groups) return { card, data: { groups }, basis };
  const numbers = numbersOf('en');
  const formatted = value !== null && isRate ? numbers.rate(value, {}) : numbers.full(value);
  return { card, data: { value, formatted, numerator, denominator, previous }, basis };
}

/** The card for the builder; null if no card type can ask the question. */
export function cardOf(question: KpiQuestion, look: Look | null, answer: Pick<Answer, 'series'> = {}) {
  const { aggregation, numerator, compareTo, dateGrouping, group_by, limit, propertyKey, ...asked } = question;
  const common = { ...asked, ...sinceFirst(asked, answer.series?.[0]?.bucket) };
  const compared = { ...common, ...(compareTo && { compareTo }) };
  if (aggregation === 'rate') {
    if (look !== null) return null;
    return { cardType: 'rate', config: { ...compared, numerator } };
  }
  const measure = { aggregation, ...(propertyKey !== undefined && { propertyKey }) };
  if (look === null) return { cardType: 'number', config: { ...measure, ...compared } };
  const grouped = { ...(group_by && { groupBy: group_by }), ...(limit && { limit }) };
  return {
    cardType: look,
    config: { ...measure, ...common, ...(dateGrouping && { dateGrouping }), ...grouped },
  };
}
