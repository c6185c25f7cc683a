import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { predicatesOf } from '../../analytics/events/predicates.ts';
import { type AuditLog, actorOf } from '../../base/audit/log.ts';
import { withTimeout } from '../../base/concurrency/timers.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { unknownName } from '../../base/shared/alike-names.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import { cursorOf, cursorPlace } from '../../base/shared/cursor.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, RuntimeError, tenantRemoved, tooMany, unprocessable } from '../../base/shared/errors.ts';
import { listNames } from '../../base/shared/names.ts';
import { sentence } from '../../base/shared/text.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { ExecutionFilters } from '../executions/list-schema.ts';
import type { QueueFilling } from './filling.ts';
import {
  type CreateQueue,
  MAX_PEOPLE,
  MAX_WAITING,
  type QueueList,
  type QueuesQuery,
  type ShownQueue,
  type ShownQueueRow,
  type UpdateQueue,
} from './schema.ts';
import type { QueueDefinitions, QueueState, StoredQueue } from './store.ts';

export interface QueueParts {
  store: QueueDefinitions;
  filling: Pick<QueueFilling, 'run' | 'walkAll'>;
  /** Throws `invalid` for dates that are none. */
  checkFilters(caller: Caller, filters: ExecutionFilters): void;
  rubrics: { exists(tenantId: string, name: string): Promise<boolean> };
  users: { find(id: string): Promise<{ tenantId: string } | null> };
  audit: Pick<AuditLog, 'record'>;
  effects: Effects;
}

const MAX_QUEUES = 100;
const REMEDY = 'POST one to /api/v1/runtime/v1/observability/queues';
/** An answer with counts waits so long for queues to be filled. */
const COUNTS_WAIT_MS = 5_000;

/** The members that say what belongs into a queue. */
const RULES = ['filters', 'share', 'outcome'] as const;

/** Queues of executions that fill themselves, for reviewers. */
export class QueueService {
  private readonly parts: QueueParts;

  constructor(parts: QueueParts) {
    this.parts = parts;
  }

  /** By name. */
  async list(caller: Caller, { limit, cursor }: QueuesQuery): Promise<QueueList> {
    requireScope(caller, 'reviews:read');
    const [after] = cursorPlace(cursor, z.tuple([z.string()])) ?? [''];
    await this.filled(caller);
    const all = await this.parts.store.all(caller.tenantId);
    const following = all.filter(({ queue }) => queue.name > after);
    const page = following.slice(0, limit);
    return {
      queues: await Promise.all(page.map((state) => this.row(state))),
      nextCursor: following.length > limit ? cursorOf([page.at(-1)!.queue.name]) : null,
      total: all.length,
    };
  }

  /** With the progress of each person. */
  async get(caller: Caller, name: string): Promise<ShownQueue> {
    requireScope(caller, 'reviews:read');
    return this.shown(caller, name);
  }

  /** Throws `conflict` when the queue is there. */
  async create(caller: Caller, input: CreateQueue): Promise<ShownQueue> {
    requireRules(caller, input);
    const { store, audit, effects } = this.parts;
    const all = await store.all(caller.tenantId);
    if (all.some(({ queue }) => queue.name === input.name)) throw thereAlready(input.name);
    if (all.length >= MAX_QUEUES) throw tooMany('queues', MAX_QUEUES);
    const now = effects.now();
    const by = { createdAt: now, createdBy: actorOf(caller).label, updatedAt: now };
    const queue = given({ ...input, id: effects.newId(), ...by });
    await this.check(caller, queue);
    const created = await store.create(caller.tenantId, queue);
    if (created === 'conflict') throw thereAlready(input.name);
    if (created === 'unknown tenant') throw tenantRemoved();
    await audit.record(caller, caller.tenantId, 'queue.created', queue.name);
    return this.shown(caller, queue.name);
  }

  /** Other rules fill it anew; what somebody was handed stays. */
  async update(caller: Caller, name: string, changes: UpdateQueue): Promise<ShownQueue> {
    requireRules(caller, changes);
    const { store, audit, effects } = this.parts;
    const { queue: before } = await this.named(caller, name);
    const queue = given({ ...before, ...withoutUndefined(changes), updatedAt: effects.now() });
    requireRules(caller, queue);
    await this.check(caller, queue);
    const refill = RULES.some((member) => !isDeepStrictEqual(before[member], queue[member]));
    if (!(await store.change(caller.tenantId, queue, refill))) throw await this.unknown(caller, name);
    await audit.record(caller, caller.tenantId, 'queue.changed', name);
    return this.shown(caller, name);
  }

  /** With what people did in it. */
  async remove(caller: Caller, name: string): Promise<void> {
    requireScope(caller, 'reviews:write');
    const { store, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, name))) throw await this.unknown(caller, name);
    await audit.record(caller, caller.tenantId, 'queue.removed', name);
  }

  /** Throws `not_found`. */
  async named({ tenantId }: Caller, name: string): Promise<QueueState> {
    const found = await this.parts.store.find(tenantId, name);
    if (found) return found;
    throw await this.unknown({ tenantId }, name);
  }

  private filled(caller: Caller): Promise<unknown> {
    const { filling } = this.parts;
    return withTimeout(
      filling.run(caller).then(() => filling.walkAll(caller)),
      COUNTS_WAIT_MS,
      () => null,
    );
  }

  private async check(caller: Caller, { filters, outcome, rubric, userIds = [] }: StoredQueue): Promise<void> {
    const { rubrics, users, effects, checkFilters } = this.parts;
    try {
      checkFilters(caller, filters);
    } catch (error) {
      throw error instanceof RuntimeError ? new RuntimeError(error.code, `filters.${error.message}`) : error;
    }
    predicatesOf(outcome?.filters ?? [], 'outcome.filters', { now: effects.now(), timezone: caller.timezone });
    if (rubric !== undefined && !(await rubrics.exists(caller.tenantId, rubric))) {
      throw unprocessable(`rubric: there is no rubric ${JSON.stringify(rubric)}.`);
    }
    const found = await Promise.all(userIds.map((id) => users.find(id)));
    const unknown = userIds.filter((_, index) => found[index]?.tenantId !== caller.tenantId);
    if (unknown.length > 0) {
      throw unprocessable(`userIds: there are no users ${listNames(unknown)} in your tenant.`);
    }
  }

  private async row({ queue }: QueueState): Promise<ShownQueueRow> {
    const { id, createdAt, updatedAt, ...definition } = queue;
    const counts = await this.parts.store.counts(id, MAX_WAITING);
    return { ...definition, ...counts, createdAt: formatUtc(createdAt), updatedAt: formatUtc(updatedAt) };
  }

  private async shown(caller: Caller, name: string): Promise<ShownQueue> {
    await this.filled(caller);
    const state = await this.named(caller, name);
    const people = await this.parts.store.people(state.queue.id, MAX_PEOPLE);
    return {
      ...(await this.row(state)),
      people: people.map(({ assessor, ...progress }) => {
        const [type, id] = assessor.split(':') as ['user' | 'key', string];
        return { type, id, ...progress };
      }),
    };
  }

  private async unknown({ tenantId }: Pick<Caller, 'tenantId'>, name: string): Promise<RuntimeError> {
    const names = (await this.parts.store.all(tenantId)).map(({ queue }) => queue.name);
    return notFound(sentence(unknownName('queue', name, names, REMEDY)));
  }
}

/** Counts of a queue tell of executions, and with an outcome of events. */
function requireRules(caller: Caller, { outcome }: Pick<UpdateQueue, 'outcome'>): void {
  requireScope(caller, 'reviews:write');
  requireScope(caller, 'executions:read');
  if (outcome) requireScope(caller, 'events:read');
}

/** Without members that are null or an empty list. */
function given(queue: { [Name in keyof StoredQueue]: StoredQueue[Name] | null }): StoredQueue {
  const members = Object.entries(queue).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(members) as unknown as StoredQueue;
}

function thereAlready(name: string): RuntimeError {
  return conflict(`There is a queue ${JSON.stringify(name)} already. PATCH it to change it.`);
}
