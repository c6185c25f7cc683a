import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { AssessmentStore } from '../../../src/core/agents/assessments/store.ts';
import { ExecutionListService } from '../../../src/core/agents/executions/list.ts';
import type { ExecutionStore, StoredExecution } from '../../../src/core/agents/executions/store.ts';
import { QueueFilling } from '../../../src/core/agents/queues/filling.ts';
import { QueueHandService } from '../../../src/core/agents/queues/hands.ts';
import { Outcomes } from '../../../src/core/agents/queues/outcomes.ts';
import { type CreateQueue, createQueueSchema } from '../../../src/core/agents/queues/schema.ts';
import { QueueService } from '../../../src/core/agents/queues/service.ts';
import type { QueueStore } from '../../../src/core/agents/queues/store.ts';
import type { ReviewStore } from '../../../src/core/agents/reviews/store.ts';
import type { EventStore } from '../../../src/core/analytics/events/store.ts';
import type { Caller } from '../../../src/core/base/shared/caller.ts';
import { execution } from '../execution-store.ts';

interface Stores {
  executions: ExecutionStore;
  reviews: ReviewStore;
  assessments: AssessmentStore;
  queues: QueueStore;
}

export interface QueueBackend {
  name: string;
  /** A place with the tenants `one` and `two`: what opens it once more, until the test ends. */
  place(t: TestContext): Promise<() => Promise<Stores>>;
}

/** Epoch milliseconds. */
export interface Clock {
  now: number;
}

interface Options {
  clock?: Clock;
  /** Answers questions about outcomes. */
  events?: Pick<EventStore, 'query'>;
  onError?: (error: unknown) => void;
  limits?: { atOnce: number; waiting: number };
}

const NO_EVENTS: Pick<EventStore, 'query'> = {
  query: async () => assert.fail('no queue has an outcome'),
};

/** The caller is the user of that name. */
export function caller(name: string, members: Partial<Caller> = {}): Caller {
  return {
    ...{ tenantId: 'one', agentId: null, label: `${name}@example.com`, scopes: ['*'], timezone: 'UTC' },
    ...{ credential: { kind: 'user', id: name }, userId: name, role: 'USER' },
    ...members,
  };
}

/** The services of one process over its stores. */
export function openDesk(
  stores: Stores,
  { clock = { now: 1_000_000 }, events = NO_EVENTS, onError, limits }: Options = {},
) {
  const { executions, reviews, assessments, queues: store } = stores;
  let ids = 0;
  const effects = { now: () => clock.now, newId: () => `queue ${crypto.randomUUID()} ${++ids}` } as never;
  const lists = new ExecutionListService({
    store: executions,
    assessments,
    effects,
  });
  const filling = new QueueFilling({
    ...{ store, effects, outcomes: new Outcomes(events) },
    filterOf: (by, filters) => lists.filterOf(by, filters),
    ...(limits && { limits }),
    onError:
      onError ??
      ((error) => {
        throw error;
      }),
  });
  const queues = new QueueService({
    ...{ store, filling, effects, audit: { record: async () => undefined } },
    checkFilters: (by, filters) => void lists.filterOf(by, filters),
    rubrics: { exists: async (_, name) => name === 'known' },
    users: { find: async (id) => (id === 'nobody' ? null : { tenantId: id === 'stranger' ? 'two' : 'one' }) },
  });
  const hands = new QueueHandService({ store, queues, filling, effects });
  const boss = caller('boss');
  return {
    ...{ executions, reviews, assessments, store, queues, hands, filling, clock, boss },
    /** Records a new one, or changes it. */
    async record(id: string, members: Partial<StoredExecution> = {}, tenantId = 'one') {
      const before = await executions.find(tenantId, id);
      const put = { ...(before?.execution ?? execution({ id })), ...members };
      assert.equal(await executions.put(tenantId, put, before), 'kept');
    },
    make: (members: Partial<CreateQueue> = {}, by = boss) =>
      queues.create(by, createQueueSchema.parse({ name: 'queue', ...members })),
    /** The id of the next execution; null: there is none. */
    async next(name = 'ana', queue = 'queue') {
      return (await hands.next(caller(name), queue)).item?.executionId ?? null;
    },
    done: (id: string, name = 'ana') => hands.done(caller(name), 'queue', id),
    skip: (id: string, name = 'ana') => hands.skip(caller(name), 'queue', id),
    release: (id: string, name = 'ana') => hands.release(caller(name), 'queue', id),
    /** All that the person gets, who finishes each. */
    async finishAll(name = 'ana', queue = 'queue') {
      const got: string[] = [];
      for (;;) {
        const { item } = await hands.next(caller(name), queue);
        if (!item) return got.join(' ');
        got.push(item.executionId);
        await hands.done(caller(name), queue, item.executionId);
      }
    },
  };
}

export type Desk = ReturnType<typeof openDesk>;

export async function newDesk(t: TestContext, { place }: QueueBackend, options?: Options): Promise<Desk> {
  return openDesk(await (await place(t))(), options);
}

export const CONFLICT = { code: 'conflict' };
