import { z } from 'zod';
import { decimal } from '../../analytics/events/decimals.ts';
import type { EventStore } from '../../analytics/events/store.ts';
import { countByThread, type EventPlace, eventsOfThread } from '../../analytics/events/threads.ts';
import { isHeld } from '../../base/filters/limits.ts';
import { type Caller, hasScope, requireScope } from '../../base/shared/caller.ts';
import { cursorOf, cursorPlace } from '../../base/shared/cursor.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { notFound, outside } from '../../base/shared/errors.ts';
import { ALL_AGENTS } from '../../base/shared/name-schemas.ts';
import { resolveRange } from '../../base/time/dates.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { AssessmentStore } from '../assessments/store.ts';
import { shownReview } from '../reviews/service.ts';
import type { ReviewPlace, ReviewStore } from '../reviews/store.ts';
import { shownRows, startCount, totalOf } from './list.ts';
import { MAX_TOTAL } from './list-schema.ts';
import type { ExecutionLists, ExecutionPlace, ExecutionThreads, ListedThread } from './store.ts';
import {
  type ListThreads,
  type ReadThread,
  THREAD_ITEMS,
  type Thread,
  type ThreadItem,
  type ThreadList,
  type ThreadRow,
} from './threads-schema.ts';

export interface ThreadParts {
  store: ExecutionLists & ExecutionThreads;
  reviews: Pick<ReviewStore, 'ofThread' | 'countOfThread'>;
  assessments: Pick<AssessmentStore, 'countsOf'>;
  events: Pick<EventStore, 'query'>;
  effects: Pick<Effects, 'now'>;
}

type ItemType = ThreadItem['type'];

/** After the item of that type, time (epoch milliseconds) and key: its number or id. */
type ItemPlace = [type: ItemType, at: number, key: string | number];

interface PlacedItem {
  place: ItemPlace;
  item: ThreadItem;
}

interface Asked {
  threadId: string;
  after: ItemPlace | null;
  limit: number;
}

const instant = z.int().min(-8.64e15).max(8.64e15);
const threadPlace = z.tuple([instant, z.int()]);
const itemPlace = z.union([
  z.tuple([z.literal('execution'), instant, z.int()]),
  z.tuple([z.enum(['event', 'review']), instant, z.string()]),
]);

/** Before the key of every item of a time. */
const FIRST = { execution: 0, event: null, review: '' } as const;

/**
 * Conversations. They need `executions:read`; what an answer says of events and reviews needs their
 * own scopes, and is left out of it without them.
 */
export class ThreadService {
  private readonly parts: ThreadParts;

  constructor(parts: ThreadParts) {
    this.parts = parts;
  }

  /** Threads of executions. Throws `invalid` for a cursor of no answer. */
  async list(caller: Caller, input: ListThreads, signal?: AbortSignal): Promise<ThreadList> {
    requireThreads(caller);
    const { store, events } = this.parts;
    const { agentId, userId, limit, cursor } = input;
    const filter = {
      ...resolveRange(input, { timezone: caller.timezone, now: this.parts.effects.now() }),
      agentId: agentId === ALL_AGENTS ? undefined : agentId,
      userId,
    };
    const after = cursorPlace(cursor, threadPlace);
    using counting = startCount((page) =>
      store.countThreads(caller.tenantId, filter, { most: MAX_TOTAL, signal: page }),
    );
    const rows = await store.listThreads(caller.tenantId, filter, { after, limit: limit + 1 });
    const shown = rows.slice(0, limit);
    const threadIds = shown.map(({ threadId }) => threadId);
    const counts = hasScope(caller, 'events:read')
      ? await countByThread(threadIds, { store: events, tenantId: caller.tenantId, signal })
      : null;
    return {
      threads: shown.map((thread) => shownThread(thread, counts)),
      nextCursor: rows.length > limit ? cursorOf(shown.at(-1)!.place) : null,
      total: await totalOf(counting.total, { found: rows.length, limit, isFirst: after === null }),
    };
  }

  /** Throws `not_found` for a thread of which the caller can see nothing. */
  async thread(caller: Caller, threadId: string, { limit, cursor }: ReadThread, signal?: AbortSignal): Promise<Thread> {
    requireThreads(caller);
    const after = cursorPlace(cursor, itemPlace);
    using counting = startCount((page) => this.total(caller, threadId, page).catch(() => null));
    const asked = { threadId, after, limit: limit + 1 };
    const found = await Promise.all([
      this.executions(caller, asked),
      hasScope(caller, 'events:read') ? this.events(caller, asked, signal) : [],
      hasScope(caller, 'reviews:read') ? this.reviews(caller, asked) : [],
    ]);
    const items = found.flat().sort(inOrder);
    if (items.length === 0 && after === null) throw notFound(`There is no thread "${threadId}".`);
    const shown = items.slice(0, limit);
    return {
      threadId,
      items: shown.map(({ item }) => item),
      nextCursor: items.length > limit ? cursorOf(shown.at(-1)!.place) : null,
      total: await totalOf(counting.total, { found: items.length, limit, isFirst: after === null }),
    };
  }

  private async total(caller: Caller, threadId: string, signal: AbortSignal): Promise<number | null> {
    const { store, reviews, events } = this.parts;
    const { tenantId } = caller;
    const counts = await Promise.all([
      store.count(tenantId, { threadId }, { by: 'startedAt', most: MAX_TOTAL, signal }),
      hasScope(caller, 'events:read')
        ? countByThread([threadId], { store: events, tenantId, signal }).then((found) => found.get(threadId) ?? 0)
        : 0,
      hasScope(caller, 'reviews:read') ? reviews.countOfThread(tenantId, threadId, MAX_TOTAL) : 0,
    ]);
    return counts.reduce((sum, count) => (sum === null || count === null ? null : Math.min(sum + count, MAX_TOTAL)), 0);
  }

  private async executions({ tenantId }: Caller, { threadId, after, limit }: Asked): Promise<PlacedItem[]> {
    const place = startOf<ExecutionPlace>('execution', after);
    const page = { by: 'startedAt', order: 'asc', after: place, limit } as const;
    const listed = await this.parts.store.list(tenantId, { threadId }, page);
    const rows = await shownRows(this.parts.assessments, tenantId, listed);
    return listed.map(({ place }, index) => ({
      place: ['execution', ...place],
      item: { type: 'execution', at: formatUtc(place[0]), execution: rows[index]! },
    }));
  }

  private async events({ tenantId }: Caller, { threadId, after, limit }: Asked, signal?: AbortSignal) {
    const place = startOf<EventPlace>('event', after);
    const events = { store: this.parts.events, tenantId, signal };
    const found = await eventsOfThread(threadId, { after: place, limit }, events);
    return found.map(
      ({ at, event }): PlacedItem => ({
        place: ['event', at, event.id],
        item: { type: 'event', at: event.timestamp, event },
      }),
    );
  }

  private async reviews({ tenantId }: Caller, { threadId, after, limit }: Asked): Promise<PlacedItem[]> {
    const place = startOf<ReviewPlace>('review', after);
    const reviews = await this.parts.reviews.ofThread(tenantId, threadId, { after: place, limit });
    return reviews.map((review) => ({
      place: ['review', review.createdAt, review.id],
      item: { type: 'review', at: formatUtc(review.createdAt), review: shownReview(review) },
    }));
  }
}

/** Throws `forbidden` for a caller that is held to agents: a thread has those of all. */
function requireThreads(caller: Caller): void {
  requireScope(caller, 'executions:read');
  if (isHeld(caller, 'agents')) throw outside('agents', 'all agents of a thread');
}

function shownThread(
  { place: _, cost, firstAt, lastAt, ...thread }: ListedThread,
  counts: Map<string, number> | null,
): ThreadRow {
  return {
    ...thread,
    events: counts && (counts.get(thread.threadId) ?? 0),
    cost: cost === null ? null : decimal(cost),
    firstAt: formatUtc(firstAt),
    lastAt: formatUtc(lastAt),
  };
}

/** The items of a source come in their order; those of one time by their types. */
function inOrder({ place: [type, at] }: PlacedItem, { place: [otherType, otherAt] }: PlacedItem): number {
  return at - otherAt || rank(type) - rank(otherType);
}

function rank(type: ItemType): number {
  return THREAD_ITEMS.indexOf(type);
}

/** Where the items of a type go on after an item. */
function startOf<Place>(type: ItemType, after: ItemPlace | null): Place | null {
  if (after === null) return null;
  const [last, at, key] = after;
  const order = rank(type) - rank(last);
  return (order === 0 ? [at, key] : [order > 0 ? at : at + 1, FIRST[type]]) as Place;
}
