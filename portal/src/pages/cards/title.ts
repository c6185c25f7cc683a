import { type FilterRow, isComplete } from '../../question/filters/filters.ts';
import { rangeWords } from '../../question/state/range.ts';
import { AGGREGATIONS, labelOf, OPERATORS, takesNoValue } from '../../question/words/words.ts';
import { asksMetric, type CardForm, type Members } from './state.ts';

const MAX_TITLE = 200;

/** The suggested title: "Sum of amount, order paid, by country, last 7 days". */
export function suggestedTitle({ cardType, members }: CardForm): string {
  const { steps, filters, range } = members;
  if (cardType === 'funnel') {
    const named = steps.filter(({ eventName }) => eventName !== '');
    if (named.length < 2) return 'Funnel';
    return titled([`From ${nameOf(named[0]!)} to ${nameOf(named.at(-1)!)}`, ...where(filters), rangeWords(range)]);
  }
  if ((asksMetric(cardType, members) ? members.metric : members.eventName) === '') return 'New card';
  return titled([subjectOf(cardType, members), divisionOf(cardType, members), ...where(filters), rangeWords(range)]);
}

function subjectOf(cardType: CardForm['cardType'], members: Members): string {
  const { eventName, aggregation, propertyKey, numerator } = members;
  if (asksMetric(cardType, members)) return wordsOf(members.metric.replace(/@\d+$/, ''));
  const event = wordsOf(eventName);
  if (cardType === 'table') return members.mode === 'retention' ? `Retention of ${event}` : event;
  if (cardType === 'rate') {
    if (numerator.isOther) return `${wordsOf(numerator.eventName) || 'Share'} per ${event}`;
    return [`Share of ${event}`, ...where(numerator.filters)].join(' ');
  }
  return aggregation === 'count' ? event : `${labelOf(AGGREGATIONS, aggregation)} ${propertyKey || '…'}, ${event}`;
}

function divisionOf(cardType: CardForm['cardType'], { groupBy, dateGrouping, mode }: Members): string | null {
  const keys = groupBy.filter(Boolean).map(wordsOf);
  const isGrouped = ['line', 'bar', 'pie'].includes(cardType) || (cardType === 'table' && mode === 'aggregate');
  if (!isGrouped) return null;
  const time = cardType === 'line' || cardType === 'bar' ? dateGrouping : '';
  const by = [...keys, ...(time === '' ? [] : [time])];
  return by.length === 0 ? null : `by ${by.join(' and ')}`;
}

function where(filters: readonly FilterRow[]): string[] {
  const complete = filters.filter(isComplete);
  if (complete.length === 0) return [];
  const words = complete.map(({ propertyKey, operator, values }) => {
    const texts = values.map(({ text }) => text).filter(Boolean);
    return [
      wordsOf(propertyKey),
      labelOf(OPERATORS, operator),
      ...(takesNoValue(operator) ? [] : [texts.join(', ')]),
    ].join(' ');
  });
  return [`where ${words.join(' and ')}`];
}

function nameOf({ eventName, label }: { eventName: string; label: string }): string {
  return label || wordsOf(eventName);
}

/** "conversation started" for `conversation_started`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[_\s]+/g, ' ').trim();
}

/** A title that the server accepts: one line, no control characters, not too long. */
function titled(parts: readonly (string | null)[]): string {
  const text = parts
    .filter((part) => part !== null && part !== '')
    .join(', ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .replaceAll(', by ', ' by ')
    .replaceAll(', where ', ' where ')
    .trim();
  const title = text.charAt(0).toUpperCase() + text.slice(1);
  return title.length <= MAX_TITLE ? title.toWellFormed() : `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…`;
}
