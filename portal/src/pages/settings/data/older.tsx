import { useQuery } from '@tanstack/react-query';
import { answerOf, client } from '../../../api/client.ts';
import { Time } from '../../../ui/time.tsx';
import { EXECUTIONS } from '../../executions/executions.ts';
import { totalText } from '../../executions/words.ts';
import { numberOf } from './words.ts';

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
  return events === 0 ? null : { words: `${numberOf(events)} ${events === 1 ? 'event' : 'events'}`, before };
}

async function olderExecutions(days: number): Promise<Older | null> {
  const before = new Date(Date.now() - days * DAY_MS).toISOString();
  const asked = { params: { query: { dateTo: before, limit: 1 } } };
  const { executions, total } = await answerOf(client.GET(EXECUTIONS, asked));
  if (executions.length === 0) return null;
  return { words: total === null ? 'executions' : totalText(total), before };
}

const COUNTS = { events: olderEvents, executions: olderExecutions };

export interface Change {
  noun: keyof typeof COUNTS;
  /** The retention before and after; null: for ever. */
  stored: number | null;
  days: number | null;
}

/** Null for a change that removes nothing; days that the API refuses are such a change. */
export async function removedBy({ noun, stored, days }: Change): Promise<Older | null> {
  return days !== stored && isPeriod(days) ? COUNTS[noun](days) : null;
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
      {data === undefined && `Counting older ${noun} …`}
      {data === null && `No ${noun.replace(/s$/, '')} is older: nothing would be removed now.`}
      {data && (
        <>
          <strong>{data.words}</strong> are from before <Time iso={data.before} /> and would be removed for good.
        </>
      )}
    </p>
  );
}
