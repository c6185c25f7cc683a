import type { CardBasis } from '../../../src/charts/answer.ts';
import { formatsOf } from '../../../src/charts/drawing.ts';

/** The range, the time zone and the number of events of an answer: "5–11 Mar 2026 · UTC · 578 events". */
export function basisInWords(basis: CardBasis, locale: string): string {
  const { dates, numbers } = formatsOf(locale, basis);
  const events = `${numbers.full(basis.matchedEvents)} ${basis.matchedEvents === 1 ? 'event' : 'events'}`;
  return [dates.range(basis), basis.timezone, events].join(' · ');
}
