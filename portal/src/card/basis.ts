import type { CardBasis } from '../../../src/charts/answer.ts';
import { Dates } from '../../../src/charts/dates.ts';
import { knownLocale } from '../../../src/charts/locale.ts';
import { numbersOf } from '../../../src/charts/numbers.ts';

export const RETENTION = 'Retention: a row for each cohort';

/** The range, the time zone, the number of events and the segment of an answer: "5–11 Mar 2026 · UTC · 578 events". */
export function basisInWords(basis: CardBasis & { retention?: unknown }, tag: string): string {
  const locale = knownLocale(tag);
  const [dates, numbers] = [new Dates(locale, basis.timezone), numbersOf(locale)];
  const events = `${numbers.full(basis.matchedEvents)} ${basis.matchedEvents === 1 ? 'event' : 'events'}`;
  const kind = basis.retention === undefined ? [] : [RETENTION];
  const segment = basis.segment === undefined ? [] : [`segment ${basis.segment.name}`];
  return [...kind, dates.range(basis), basis.timezone, events, ...segment].join(' · ');
}
