import { fieldOf, type Predicate, predicatesOf } from '../../analytics/events/predicates.ts';
import type { QueryPlan } from '../../analytics/events/query-plan.ts';
import type { EventStore } from '../../analytics/events/store.ts';
import type { DateContext } from '../../base/time/dates.ts';
import type { StoredQueue } from './store.ts';

/** Events that one question answers. */
const AT_ONCE = 5_000;

export type QueueOutcome = NonNullable<StoredQueue['outcome']>;

interface Of {
  field: 'threadId' | 'executionId';
  values: readonly string[];
}

export interface OutcomePage {
  /** The last outcome of each thread, in epoch milliseconds. */
  threads: Map<string, number>;
  /** Where the next page begins; null: there is none. */
  next: number | null;
}

/** Finds the threads in which an event followed, and the executions that it names. */
export class Outcomes {
  private readonly events: Pick<EventStore, 'query'>;

  constructor(events: Pick<EventStore, 'query'>) {
    this.events = events;
  }

  /** The last outcome of each of these threads or executions that has one at or after `from`. */
  async last(
    tenantId: string,
    outcome: QueueOutcome,
    { field, values }: Of,
    dates: DateContext & { from: number | null },
  ): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let left = [...new Set(values)]; left.length > 0; ) {
      const of = { field, values: left };
      const rows = await this.ask(tenantId, outcome, { dates, of, descending: true });
      for (const [value, at] of rows) if (!found.has(value)) found.set(value, at);
      if (rows.length < AT_ONCE) break;
      left = left.filter((value) => !found.has(value));
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
    asked: { dates: DateContext & { from: number | null }; of?: Of; descending: boolean },
  ): Promise<[id: string, at: number][]> {
    const { dates, of, descending } = asked;
    const [id, timestamp] = [fieldOf(of?.field ?? 'threadId'), fieldOf('timestamp')];
    const test: Predicate['test'] = of ? { kind: 'oneOf', values: [...of.values] } : { kind: 'present' };
    const predicates = [...predicatesOf(filters, 'outcome.filters', dates), { field: id, test, negated: false }];
    const plan: QueryPlan = {
      kind: 'raw',
      selection: { agentId: null, eventNames: [eventName], from: dates.from, to: null, predicates },
      columns: [id, timestamp],
      sort: { field: timestamp, descending },
      limit: AT_ONCE,
      offset: 0,
    };
    return (await this.events.query(tenantId, plan)).rows as [string, number][];
  }
}
