import type { CountedEvents } from '../cases/handle.ts';
import type { QueryBasis } from './answer-schema.ts';
import { shownFilters } from './fit.ts';
import { retentionOf } from './retention.ts';
import { eventsIn, type TableQuestion } from './table-question.ts';

/** The events that a table counts; of a retention, those that start. */
export function countedIn(input: TableQuestion): CountedEvents {
  if (input.mode !== 'retention') return eventsIn(input);
  const { eventName, filters } = retentionOf(input).start;
  return [{ eventName, ...(filters.length > 0 ? { filters } : {}) }];
}

/** The definitions of a retention, with their defaults. */
export function shownRetention(input: TableQuestion): Pick<QueryBasis, 'retention'> {
  if (input.mode !== 'retention') return {};
  const { start, returned, ...rest } = retentionOf(input);
  const shown = ({ eventName, filters }: typeof start) => ({ eventName, filters: shownFilters(filters) });
  return { retention: { start: shown(start), returned: shown(returned), ...rest } };
}
