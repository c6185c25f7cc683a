import { useQuery } from '@tanstack/react-query';
import { answerOf, client } from '../../../api/client.ts';
import { t } from '../../../language/index.ts';
import { Time } from '../../../ui/time.tsx';
import { EXECUTIONS } from '../../executions/executions.ts';
import { totalText } from '../../executions/words.ts';

const DAY_MS = 86_400_000;

/** The events and executions that would be removed. */
interface Older {
  /** "3 events" */
  words: string;
  /** ISO 8601. */
  before: string;
}

async function olderEvents(days: number): Promise<Older | null> {
  const asked = { params: { query: { days } } };
  const { events, before } = await answerOf(client.GET('/api/v1/portal/data/older-events', asked));
  return events === 0 ? null : { words: t.count(events, '{count} event', '{count} events'), before };
}

async function olderExecutions(days: number): Promise<Older | null> {
  const before = new Date(Date.now() - days * DAY_MS).toISOString();
  const asked = { params: { query: { dateTo: before, limit: 1 } } };
  const { executions, total } = await answerOf(client.GET(EXECUTIONS, asked));
  if (executions.length === 0) return null;
  return { words: total === null ? t('executions') : totalText(total), before };
}

const KINDS = {
  events: {
    read: olderEvents,
    counting: t('Counting older events …'),
    none: t('No event is older: nothing would be removed now.'),
  },
  executions: {
    read: olderExecutions,
    counting: t('Counting older executions …'),
    none: t('No execution is older: nothing would be removed now.'),
  },
};

export interface Change {
  noun: keyof typeof KINDS;
  /** The retention before and after; null: for ever. */
  stored: number | null;
  days: number | null;
}

/** Null for a change that removes nothing; days that the API refuses are such a change. */
export async function removedBy({ noun, stored, days }: Change): Promise<Older | null> {
  return days !== stored && isPeriod(days) ? KINDS[noun].read(days) : null;
}

function isPeriod(days: number | null): days is number {
  return days !== null && Number.isInteger(days) && days >= 1 && days <= 36_500;
}

/** Says before saving what would go. */
export function OldestKept(change: Change) {
  const { noun, stored, days } = change;
  const isAsked = days !== stored && isPeriod(days);
  const { data } = useQuery({ queryKey: ['older', change], queryFn: () => removedBy(change), enabled: isAsked });
  if (!isAsked) return null;
  return (
    <p role="status">
      {data === undefined && KINDS[noun].counting}
      {data === null && KINDS[noun].none}
      {data &&
        t.nodes('{items} are from before {time} and would be removed for good.', {
          items: <strong>{data.words}</strong>,
          time: <Time iso={data.before} />,
        })}
    </p>
  );
}
