import type { DateGrouping } from '../../base/time/units.ts';
import type { Suggestions } from './schema.ts';

/** The commonest event, and its properties that are worth a question. */
export interface SuggestionSource {
  eventName: string;
  agentId: string;
  /** Epoch milliseconds of the earliest and the latest. */
  firstSeen: number;
  lastSeen: number;
  /** A property with numbers that are worth a sum or an average. */
  number: string | null;
  /** A property with few values. */
  group: string | null;
  /** The second commonest event. */
  other: string | null;
}

const DAY = 86_400_000;

/** Amounts are summed, all other numbers averaged. */
const AMOUNT =
  /amount|price|revenue|total|cost|value|quantity|count|tokens|sum|betrag|preis|umsatz|menge|total|importe/i;

/** Three questions and three cards. Any member of the source but the event may be missing. */
export function makeSuggestions(source: SuggestionSource, now: number): Suggestions {
  const { eventName, agentId, number, group, other } = source;
  const range = rangeOf(source, now);
  const dateGrouping = groupingOf(source);
  const event = inWords(eventName);
  const counted = { eventName, aggregation: 'count' };
  const measured = number === null ? null : { eventName, aggregation: aggregationOf(number), propertyKey: number };
  const measure = measured && `${measured.aggregation === 'sum' ? 'sum' : 'average'} of ${inWords(number!)}`;
  const second = other === null ? null : { eventName: other, aggregation: 'count' };

  const overTime = {
    text: `How many “${event}” were there, by ${dateGrouping}?`,
    question: { ...counted, ...range, dateGrouping },
  };
  const amount = measured
    ? { text: `What is the ${measure} of “${event}”?`, question: { ...measured, ...range } }
    : second
      ? { text: `How many “${inWords(other!)}” were there?`, question: { ...second, ...range } }
      : { text: `How many “${event}” were there in all?`, question: { ...counted, ...range } };
  const grouped =
    group === null
      ? {
          text: `How many different threads have “${event}”?`,
          question: { eventName, aggregation: 'distinct_count', propertyKey: 'threadId', ...range },
        }
      : {
          text: `How many “${event}” were there by ${inWords(group)}?`,
          question: { ...counted, ...range, group_by: group, limit: 10 },
        };

  const card = { agentId };
  const line = {
    ...card,
    title: titled(`${event} by ${dateGrouping}`),
    cardType: 'line' as const,
    config: { ...counted, ...range, dateGrouping },
  };
  const total =
    measured && measure
      ? {
          ...card,
          title: titled(`${measure}, ${event}`),
          cardType: 'number' as const,
          config: { ...measured, ...range },
        }
      : { ...card, title: titled(`${event} in all`), cardType: 'number' as const, config: { ...counted, ...range } };
  const bars =
    group === null
      ? {
          ...card,
          title: titled(`Newest ${event}`),
          cardType: 'table' as const,
          config: { eventName, mode: 'raw', ...range, limit: 10 },
        }
      : {
          ...card,
          title: titled(`${event} by ${inWords(group)}`),
          cardType: 'bar' as const,
          config: { ...counted, ...range, groupBy: group, limit: 10 },
        };
  return { questions: [overTime, amount, grouped], cards: [line, total, bars] };
}

function aggregationOf(property: string): 'sum' | 'avg' {
  return AMOUNT.test(property) ? 'sum' : 'avg';
}

/** By default cards show 30 days: of older events they would show nothing. */
function rangeOf({ firstSeen }: SuggestionSource, now: number): { dateFrom: string } {
  // A few hours more lose less than a range that is mostly empty.
  const days = (now - firstSeen) / DAY - 1;
  const step = [7, 30, 90, 365].find((one) => days <= one);
  if (step !== undefined) return { dateFrom: `-${step}d` };
  return { dateFrom: new Date(firstSeen).toISOString().slice(0, 10) };
}

function groupingOf({ firstSeen, lastSeen }: SuggestionSource): DateGrouping {
  const days = (lastSeen - firstSeen) / DAY;
  if (days < 2) return 'hour';
  if (days <= 92) return 'day';
  return days <= 731 ? 'week' : 'month';
}

/** `order_paid` and `orderPaid` as "order paid". */
function inWords(name: string): string {
  return (
    name
      .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .replaceAll(/[_.\-\s\p{Cc}]+/gu, ' ')
      .trim()
      .toLowerCase() || name
  );
}

/** A title has at most 200 characters. */
function titled(text: string): string {
  const short = text.slice(0, 200).toWellFormed();
  return short.charAt(0).toUpperCase() + short.slice(1);
}
