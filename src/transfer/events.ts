import { createHash } from 'node:crypto';
import { EVENT_FIELDS, type EventField } from '../core/analytics/events/fields.ts';
import { aggregatePlan, type RawPlan, type Selection } from '../core/analytics/events/query-plan.ts';
import type { EventStore, StoredEvent } from '../core/analytics/events/store.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';

export interface EventsDigest {
  events: number;
  /** Whatever their order: the sum of the digests of all events, in 16 hexadecimal digits. */
  checksum: string;
}

const PAGE = 2_000;
/** Events of the days that are asked for together. */
const RANGE = 50_000;
const DAY_MS = 86_400_000;
/** New events may become visible together. */
const VISIBLE_WITHIN_MS = 60_000;
const WAIT_MS = 1_000;

/** Puts all events of the tenant into `to`. Those that it has already are not doubled. */
export async function copyEvents(
  from: EventStore,
  to: EventStore,
  tenantId: string,
  { onEvents = () => undefined, wait }: { onEvents?: (events: number) => void; wait: (ms: number) => Promise<unknown> },
): Promise<EventsDigest> {
  const sum = new EventSum();
  for await (const events of pages(from, tenantId)) {
    // Marked as ids of callers, so that a repetition finds them.
    const known = events.map((event) => ({ ...event, idFromCaller: true }));
    // Flushing makes room: a full backlog is waited for.
    await untilAvailable(() => to.append(tenantId, known, VISIBLE_WITHIN_MS), { wait, attempts: 600 });
    for (const event of events) sum.add(event);
    onEvents(events.length);
  }
  return sum.digest();
}

export async function digestEvents(
  store: EventStore,
  tenantId: string,
  onEvents: (events: number) => void = () => undefined,
): Promise<EventsDigest> {
  const sum = new EventSum();
  for await (const events of pages(store, tenantId)) {
    for (const event of events) sum.add(event);
    onEvents(events.length);
  }
  return sum.digest();
}

/** Moving them to the tables may take longer than an answer should. */
export function settleEvents(store: EventStore, wait: (ms: number) => Promise<unknown>): Promise<void> {
  return untilAvailable(() => store.settle(), { wait, attempts: 20 });
}

async function untilAvailable(
  work: () => Promise<unknown>,
  { wait, attempts }: { wait: (ms: number) => Promise<unknown>; attempts: number },
): Promise<void> {
  for (let left = attempts; ; left -= 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== 'unavailable' || left === 0) throw error;
      await wait(WAIT_MS);
    }
  }
}

class EventSum {
  private events = 0;
  private sum = 0n;

  add(event: StoredEvent): void {
    const { id, agentId, eventName, timestamp, threadId, executionId, properties } = event;
    const text = JSON.stringify([id, agentId, eventName, timestamp, threadId, executionId, properties]);
    this.events += 1;
    this.sum += createHash('sha256').update(text).digest().readBigUInt64BE();
  }

  digest(): EventsDigest {
    return { events: this.events, checksum: BigInt.asUintN(64, this.sum).toString(16).padStart(16, '0') };
  }
}

/**
 * By timestamp. A page begins with the last timestamp of the one before: events of one time may be
 * on both.
 */
async function* pages(store: EventStore, tenantId: string): AsyncGenerator<StoredEvent[]> {
  for (const range of await ranges(store, tenantId)) {
    let [from, offset] = [range.from, 0];
    for (;;) {
      const events = await page(store, tenantId, { from, to: range.to, offset });
      if (events.length > 0) yield events;
      if (events.length < PAGE) break;
      const { timestamp } = events.at(-1)!;
      const last = events.filter((event) => event.timestamp === timestamp).length;
      offset = timestamp === from ? offset + last : last;
      from = timestamp;
    }
  }
}

async function page(
  store: EventStore,
  tenantId: string,
  { offset, ...range }: { from: number; to: number; offset: number },
): Promise<StoredEvent[]> {
  const plan: RawPlan = {
    kind: 'raw',
    selection: selectionOf(range),
    columns: [...EVENT_FIELDS.map((name) => ({ kind: 'event' as const, name })), { kind: 'properties text' }],
    sort: { field: { kind: 'event', name: 'timestamp' }, descending: false },
    limit: PAGE,
    offset,
  };
  return (await store.query(tenantId, plan)).rows.map(toEvent);
}

function toEvent(row: unknown[]): StoredEvent {
  const field = (name: EventField) => row[EVENT_FIELDS.indexOf(name)];
  return {
    id: String(field('id')),
    idFromCaller: false,
    agentId: String(field('agentId')),
    eventName: String(field('eventName')),
    timestamp: Number(field('timestamp')),
    threadId: field('threadId') as string | null,
    executionId: field('executionId') as string | null,
    properties: String(row.at(-1)),
  };
}

/** Days with events, small ones together. */
async function ranges(store: EventStore, tenantId: string) {
  const plan = aggregatePlan({
    selection: selectionOf({ from: null, to: null }),
    groupBy: [],
    metrics: [{ aggregation: 'count', field: null }],
    bucket: { unit: 'day', offsets: [{ until: null, offset: 0 }] },
  });
  const { rows } = await store.query(tenantId, plan);
  const days = rows
    .map(([count, key]) => ({ count: Number(count), from: Number(key) }))
    .toSorted((one, other) => one.from - other.from);
  const found: { from: number; to: number; count: number }[] = [];
  for (const { from, count } of days) {
    const last = found.at(-1);
    if (last && last.count + count <= RANGE) Object.assign(last, { to: from + DAY_MS, count: last.count + count });
    else found.push({ from, to: from + DAY_MS, count });
  }
  return found;
}

/** Events of every name: not all names are listed. */
function selectionOf(range: Pick<Selection, 'from' | 'to'>): Selection {
  return { agentId: null, eventNames: null, includesOwn: true, predicates: [], ...range };
}
