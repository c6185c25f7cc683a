import { t } from '../../language/index.ts';
import { type FilterRow, isComplete } from '../../question/filters/filters.ts';
import { rangeWords } from '../../question/state/range.ts';
import { AGGREGATIONS, type DateGrouping, labelOf, OPERATORS, takesNoValue } from '../../question/words/words.ts';
import { asksMetric, type CardForm, type Members } from './state.ts';

const MAX_TITLE = 200;

const PERIODS: Record<DateGrouping, string> = {
  hour: t('hour'),
  day: t('day'),
  week: t('week'),
  month: t('month'),
  quarter: t('quarter'),
  year: t('year'),
};

/** The suggested title: "Sum of amount, order paid by country, last 7 days". */
export function suggestedTitle({ cardType, members }: CardForm): string {
  const { steps, filters, range } = members;
  if (cardType === 'funnel') {
    const named = steps.filter(({ eventName }) => eventName !== '');
    if (named.length < 2) return t('Funnel');
    const way = t('From {first} to {last}', { first: nameOf(named[0]!), last: nameOf(named.at(-1)!) });
    return titled([way, where(filters)], rangeWords(range));
  }
  if ((asksMetric(cardType, members) ? members.metric : members.eventName) === '') return t('New card');
  return titled([subjectOf(cardType, members), divisionOf(cardType, members), where(filters)], rangeWords(range));
}

function subjectOf(cardType: CardForm['cardType'], members: Members): string {
  const { eventName, aggregation, propertyKey, numerator } = members;
  if (asksMetric(cardType, members)) return wordsOf(members.metric.replace(/@\d+$/, ''));
  const event = wordsOf(eventName);
  if (cardType === 'table') return members.mode === 'retention' ? t('Retention of {event}', { event }) : event;
  if (cardType === 'rate') {
    if (numerator.isOther) {
      return t('{counted} per {event}', { counted: wordsOf(numerator.eventName) || t('Share'), event });
    }
    return together([t('Share of {event}', { event }), where(numerator.filters)]);
  }
  return aggregation === 'count' ? event : `${labelOf(AGGREGATIONS, aggregation)} ${propertyKey || '…'}, ${event}`;
}

function divisionOf(cardType: CardForm['cardType'], { groupBy, dateGrouping, mode }: Members): string | null {
  const keys = groupBy.filter(Boolean).map(wordsOf);
  const isGrouped = ['line', 'bar', 'pie'].includes(cardType) || (cardType === 'table' && mode === 'aggregate');
  if (!isGrouped) return null;
  const isByTime = (cardType === 'line' || cardType === 'bar') && dateGrouping !== '';
  const by = [...keys, ...(isByTime ? [PERIODS[dateGrouping]] : [])];
  return by.length === 0 ? null : t('by {keys}', { keys: listed(by) });
}

function where(filters: readonly FilterRow[]): string | null {
  const complete = filters.filter(isComplete);
  if (complete.length === 0) return null;
  const conditions = complete.map(({ propertyKey, operator, values }) => {
    const texts = values.map(({ text }) => text).filter(Boolean);
    return [
      wordsOf(propertyKey),
      labelOf(OPERATORS, operator),
      ...(takesNoValue(operator) ? [] : [texts.join(', ')]),
    ].join(' ');
  });
  return t('where {conditions}', { conditions: listed(conditions) });
}

function listed(texts: readonly string[]): string {
  return texts.reduce((all, next) => t('{all} and {next}', { all, next }));
}

function nameOf({ eventName, label }: { eventName: string; label: string }): string {
  return label || wordsOf(eventName);
}

/** "conversation started" for `conversation_started`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[_\s]+/g, ' ').trim();
}

function together(parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(' ');
}

/** A title that the server accepts: one line, no control characters, not too long. */
function titled(parts: readonly (string | null)[], range: string | null): string {
  const text = [together(parts), range]
    .filter(Boolean)
    .join(', ')
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  const title = text.charAt(0).toUpperCase() + text.slice(1);
  return title.length <= MAX_TITLE ? title.toWellFormed() : `${title.slice(0, MAX_TITLE - 1).toWellFormed()}…`;
}
