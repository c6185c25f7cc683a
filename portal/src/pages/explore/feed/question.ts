import { queryOptions } from '@tanstack/react-query';
import { QUERY_EVENTS } from '../../../api/answers.ts';
import { answerOf, client } from '../../../api/client.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { eventOfRow, type FeedPage, PAGE_SIZE } from '../../../feed/state.ts';
import { filtersOf, rowsOf } from '../../../question/filters/filters.ts';
import { membersOf } from '../../../question/state/range.ts';
import { membersIn, rangeIn, textOf } from '../../../question/state/text.ts';

export interface FeedQuestion {
  /** Undefined stands for events of every name. */
  eventName: string | undefined;
  /** The other members of the question, for which the feed asks as a table does; null: none. */
  narrowed: Pick<Schemas['EventsQuery'], 'filters' | 'segment' | 'dateFrom' | 'dateTo' | 'timezone'> | null;
}

export function askedIn(text: string | undefined): FeedQuestion {
  const given = membersIn(text);
  const eventName = textOf(given.eventName) || undefined;
  const filters = filtersOf(rowsOf(given.filters));
  const [segment, timezone] = [textOf(given.segment), textOf(given.timezone)];
  const narrowed = {
    ...(filters && { filters }),
    ...(segment !== '' && { segment }),
    ...membersOf(rangeIn(given)),
    ...(timezone !== '' && { timezone }),
  };
  const isNarrowed = eventName !== undefined && Object.keys(narrowed).some((name) => name !== 'timezone');
  return { eventName, narrowed: isNarrowed ? narrowed : null };
}

/** One page of the events of the question, newest first. */
export function feedQuery({ eventName, narrowed }: FeedQuestion, agent: string | undefined, number: number) {
  const page = { limit: PAGE_SIZE, offset: (number - 1) * PAGE_SIZE };
  return queryOptions({
    queryKey: ['feed', QUERY_EVENTS, { eventName, narrowed, agent, ...page }],
    queryFn: async ({ signal }): Promise<FeedPage> => {
      if (eventName === undefined || narrowed === null) {
        const query = { agentId: agent, eventName, ...page };
        return answerOf(client.GET('/api/v1/runtime/v1/observability/events/feed', { params: { query }, signal }));
      }
      const body = { eventName, agentId: agent ?? '*', ...narrowed, ...page };
      const { rows, total } = await answerOf(client.POST(QUERY_EVENTS, { body, signal }));
      return { events: rows.map((row) => eventOfRow(eventName, row)), total };
    },
  });
}
