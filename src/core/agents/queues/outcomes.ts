import { fieldOf, type Predicate, predicatesOf } from '../../analytics/events/predicates.ts';
import type { QueryPlan } from '../../analytics/events/query-plan.ts';
import type { EventStore } from '../../analytics/events/store.ts';
import type { DateContext } from '../../base/time/dates.ts';
import type { StoredQueue } from './store.ts';

/** Events that one question answers. */
const AT_ONCE = 5_000;

export type QueueOutcome = NonNullable<StoredQueue['outcome']>;

export interface OutcomePage {
  /** The last outcome of each thread, in epoch milliseconds. */
  threads: Map<string, number>;
  /** Where the next page begins; null: there is none. */
  next: number | null;
}

/** Finds the threads in which an event followed. */
export class Outcomes {
  private readonly events: Pick<EventStore, 'query'>;

  constructor(events: Pick<EventStore, 'query'>) {
    this.events = events;
  }

  /** The last outcome of each of these threads that has one at or after `from`. */
  async ofThreads(
    tenantId: string,
    outcome: QueueOutcome,
    threadIds: readonly string[],
    dates: DateContext & { from: number },
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let left = [...new Set(threadIds)]; left.length > 0; ) {
      const rows = await this.ask(tenantId, outcome, { dates, threadIds: left, descending: true });
      for (const [thread, at] of rows) if (!found.has(thread)) found.set(thread, at);
      if (rows.length < AT_ONCE) break;
      left = left.filter((thread) => !found.has(thread));
    }
    return found;
  }

  /** Outcomes at or after `from`, the oldest first. */
  async since(tenantId: string, outcome: QueueOutcome, dates: DateContext & { from: number }): Promise<OutcomePage> {
    const rows = await this.ask(tenantId, outcome, { dates, descending: false });
    return { threads: new Map(rows), next: rows.length < AT_ONCE ? null : Math.max(rows.at(-1)![1], dates.from + 1) };
  }

  private async ask(
    tenantId: string,
    { eventName, filters = [] }: QueueOutcome,
    asked: { dates: DateContext & { from: number }; threadIds?: string[]; descending: boolean },
  ): Promise<[thread: string, at: number][]> {
    const { dates, threadIds, descending } = asked;
    const [threadId, timestamp] = [fieldOf('threadId'), fieldOf('timestamp')];
    const test: Predicate['test'] = threadIds ? { kind: 'oneOf', values: threadIds } : { kind: 'present' };
    const predicates = [...predicatesOf(filters, 'outcome.filters', dates), { field: threadId, test, negated: false }];
    const plan: QueryPlan = {
      kind: 'raw',
      selection: { agentId: null, eventNames: [eventName], from: dates.from, to: null, predicates },
      columns: [threadId, timestamp],
      sort: { field: timestamp, descending },
      limit: AT_ONCE,
      offset: 0,
    };
    return (await this.events.query(tenantId, plan)).rows as [string, number][];
  }
}
