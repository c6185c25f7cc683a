import { parseUtc } from '../../base/time/time.ts';
import { fieldOf, type Predicate } from './predicates.ts';
import { aggregatePlan, type Selection } from './query-plan.ts';
import { FEED_COLUMNS, oneOf } from './questions/plan.ts';
import type { TrackedEvent } from './schema.ts';
import type { EventStore } from './store.ts';

/* Events of threads, of all agents; the runtime's own are left out, as in the feed. */

export interface EventsOfTenant {
  store: Pick<EventStore, 'query'>;
  tenantId: string;
  signal?: AbortSignal | undefined;
}

/**
 * After the event of that time, in epoch milliseconds, with this id; null: from the first event of
 * that time on.
 */
export type EventPlace = [timestamp: number, id: string | null];

/** Threads without events are left out. */
export async function countByThread(threadIds: string[], events: EventsOfTenant): Promise<Map<string, number>> {
  if (threadIds.length === 0) return new Map();
  const plan = aggregatePlan({
    selection: ofThreads(threadIds),
    groupBy: [fieldOf('threadId')],
    metrics: [{ aggregation: 'count', field: null }],
  });
  const { rows } = await events.store.query(events.tenantId, plan, events.signal);
  return new Map(rows.map(([threadId, count]) => [threadId as string, count as number]));
}

/** The oldest first. */
export async function eventsOfThread(
  threadId: string,
  { after, limit }: { after: EventPlace | null; limit: number },
  { store, tenantId, signal }: EventsOfTenant,
): Promise<{ at: number; event: TrackedEvent }[]> {
  const selection = ofThreads([threadId]);
  const { rows } = await store.query(
    tenantId,
    {
      kind: 'raw',
      selection: { ...selection, from: after?.[0] ?? null, ...following(after) },
      ...FEED_COLUMNS,
      sort: { field: fieldOf('timestamp'), descending: false },
      limit,
      offset: 0,
    },
    signal,
  );
  return rows.map(([text]) => {
    const event = JSON.parse(text as string) as TrackedEvent;
    return { at: parseUtc(event.timestamp)!, event };
  });
}

function ofThreads(threadIds: string[]): Selection {
  return { agentId: null, eventNames: null, from: null, to: null, predicates: [oneOf('threadId', threadIds)] };
}

function following(after: EventPlace | null): Pick<Selection, 'anyOf'> {
  if (after === null || after[1] === null) return {};
  const [timestamp, id] = after;
  const at = (test: Predicate['test']): Predicate => ({ field: fieldOf('timestamp'), test, negated: false });
  return {
    anyOf: [
      [at({ kind: 'compare', operator: 'gt', value: timestamp })],
      [
        at({ kind: 'oneOf', values: [timestamp] }),
        { field: fieldOf('id'), test: { kind: 'compare', operator: 'gt', value: id }, negated: false },
      ],
    ],
  };
}
