import type { Caller } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import type { ExecutionFilters } from '../executions/list-schema.ts';
import type { ExecutionFilter, ExecutionPlace } from '../executions/store.ts';
import type { Outcomes } from './outcomes.ts';
import { MAX_WAITING } from './schema.ts';
import { isInShare } from './share.ts';
import type { Candidate, QueueProgress, QueueState, QueueStore, SeenExecutions } from './store.ts';

/** Executions that are looked at together, and items that wait before a walk rests. */
const LIMITS = { atOnce: 500, waiting: MAX_WAITING };
/** A queue asks so often for outcomes that followed. */
const OUTCOMES_EVERY_MS = 5_000;
/** Events may arrive so much later than they happened. */
const LATE_EVENTS_MS = 3_600_000;

export interface FillingParts {
  store: QueueStore;
  filterOf(caller: Caller, filters: ExecutionFilters): ExecutionFilter;
  outcomes: Outcomes;
  effects: Pick<Effects, 'now'>;
  onError(error: unknown): void;
  limits?: typeof LIMITS;
}

/** The ids of queues whose filling failed; null: of all. */
type Filled = ReadonlySet<string> | null;

/**
 * Fills queues with executions that match. A new queue walks through the list, the oldest first.
 * Beside it every execution that changes is looked at again, and with an outcome every one in whose
 * thread it followed.
 */
export class QueueFilling {
  private readonly parts: FillingParts;
  private readonly limits: typeof LIMITS;
  private readonly running = new Map<string, Promise<Filled>>();
  private readonly waiting = new Map<string, Promise<Filled>>();
  private readonly pages = new Map<string, Promise<QueueState>>();
  private readonly walks = new Map<string, Promise<void>>();
  private readonly askedAt = new Map<string, number>();
  private isClosed = false;

  constructor(parts: FillingParts) {
    this.parts = parts;
    this.limits = parts.limits ?? LIMITS;
  }

  /**
   * Looks at everything that was recorded before. Callers who come while it waits for the former
   * run share it. Never rejects: failures are reported.
   */
  run(caller: Caller): Promise<Filled> {
    const { tenantId } = caller;
    const shared = this.waiting.get(tenantId);
    if (shared) return shared;
    const before = this.running.get(tenantId) ?? Promise.resolve(null);
    const run = before.then(async () => {
      this.waiting.delete(tenantId);
      this.running.set(tenantId, run);
      return this.fill(caller).finally(() => {
        if (this.running.get(tenantId) === run) this.running.delete(tenantId);
      });
    });
    this.waiting.set(tenantId, run);
    return run;
  }

  /** Walks on by one page of the list, together with others who do. */
  walk(caller: Caller, state: QueueState): Promise<QueueState> {
    const { id } = state.queue;
    const walking = this.pages.get(id) ?? this.nextPage(caller, state).finally(() => this.pages.delete(id));
    this.pages.set(id, walking);
    return walking;
  }

  /** Walks on in every queue until enough waits in it. Never rejects: failures are reported. */
  walkAll(caller: Caller): Promise<void> {
    const { tenantId } = caller;
    const walking = this.walks.get(tenantId) ?? this.walkEach(caller).finally(() => this.walks.delete(tenantId));
    this.walks.set(tenantId, walking);
    return walking;
  }

  /** The next run does the rest. */
  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.running.values(), ...this.walks.values()]);
  }

  private async fill(caller: Caller): Promise<Filled> {
    const { store, onError } = this.parts;
    const failed = new Set<string>();
    try {
      await this.lookAtChanges(caller, failed);
      for (const state of await store.all(caller.tenantId)) {
        await this.within(state, failed, () => this.lookAtOutcomes(caller, state));
      }
      return this.isClosed ? null : failed;
    } catch (error) {
      onError(error);
      return null;
    }
  }

  /** The events may be away: that holds up no other queue, and this one begins anew. */
  private async within(state: QueueState, failed: Set<string>, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.parts.onError(error);
      failed.add(state.queue.id);
      await this.parts.store.enter(state, [], { place: null, isWalked: false });
    }
  }

  private async nextPage(caller: Caller, state: QueueState): Promise<QueueState> {
    const { store, filterOf } = this.parts;
    const { place, queue } = state;
    const { atOnce } = this.limits;
    const page = await store.candidates(caller.tenantId, filterOf(caller, queue.filters), place, atOnce);
    const last = page.at(-1);
    const after: ExecutionPlace | null = last ? [last.at, last.number] : place;
    const progress = { place: after, isWalked: page.length < atOnce };
    await this.enter(caller, state, page, progress);
    return { ...state, ...progress };
  }

  private async walkEach(caller: Caller): Promise<void> {
    try {
      for (const state of await this.parts.store.all(caller.tenantId)) {
        await this.within(state, new Set(), () => this.walkOn(caller, state));
      }
    } catch (error) {
      this.parts.onError(error);
    }
  }

  private async walkOn(caller: Caller, from: QueueState): Promise<void> {
    for (let state = from; !state.isWalked && !this.isClosed; state = await this.walk(caller, state)) {
      if ((await this.waits(state)) >= this.limits.waiting) return;
    }
  }

  private async waits({ queue }: QueueState): Promise<number> {
    return (await this.parts.store.counts(queue.id, this.limits.waiting)).waiting;
  }

  private async lookAtChanges(caller: Caller, failed: Set<string>): Promise<void> {
    const { store } = this.parts;
    const { tenantId } = caller;
    while (!this.isClosed) {
      const changes = await store.changes(tenantId, this.limits.atOnce);
      if (changes.length === 0) return;
      const numbers = changes.map(({ number }) => number);
      // After the changes: a queue that is made in between walks past these executions later.
      for (const state of await store.all(tenantId)) {
        await this.within(state, failed, () => this.look(caller, state, numbers));
      }
      await store.changesSeen(tenantId, changes);
      if (changes.length < this.limits.atOnce) return;
    }
  }

  private async lookAtOutcomes(caller: Caller, state: QueueState): Promise<void> {
    const { store, outcomes, effects } = this.parts;
    const { tenantId, timezone } = caller;
    if (!state.queue.outcome) return;
    const now = effects.now();
    if (now - (this.askedAt.get(state.queue.id) ?? 0) < OUTCOMES_EVERY_MS) return;
    this.askedAt.set(state.queue.id, now);
    // Walks and changes ask for earlier outcomes themselves.
    let from: number | null = state.outcomesFrom ?? now - LATE_EVENTS_MS;
    while (from !== null && !this.isClosed) {
      const page = await outcomes.since(tenantId, state.queue.outcome, { now, timezone, from });
      const threads = [...page.threads.keys()];
      for (let start = 0; start < threads.length; start += this.limits.atOnce) {
        await this.lookAtThreads(caller, state, threads.slice(start, start + this.limits.atOnce));
      }
      from = page.next;
      await store.enter(state, [], { outcomesFrom: from ?? now - LATE_EVENTS_MS });
    }
  }

  private async lookAtThreads(caller: Caller, state: QueueState, threads: readonly string[]): Promise<void> {
    const { store } = this.parts;
    for (let after = 0, isLast = false; !isLast; ) {
      const numbers = await store.numbersOf(caller.tenantId, threads, after, this.limits.atOnce);
      await this.look(caller, state, numbers);
      isLast = numbers.length < this.limits.atOnce;
      after = numbers.at(-1) ?? after;
    }
  }

  private async look(caller: Caller, state: QueueState, numbers: readonly number[]): Promise<void> {
    if (numbers.length === 0) return;
    const filter = this.parts.filterOf(caller, state.queue.filters);
    const matching = await this.parts.store.matching(caller.tenantId, filter, numbers);
    await this.enter(caller, state, matching, {}, { numbers, now: this.parts.effects.now() });
  }

  private async enter(
    caller: Caller,
    state: QueueState,
    candidates: readonly Candidate[],
    progress: QueueProgress,
    seen?: SeenExecutions,
  ): Promise<void> {
    const { name, share } = state.queue;
    const shared = candidates.filter(({ id }) => isInShare(share, name, id));
    const followed = await this.followed(caller, state, shared);
    const numbers = followed.map(({ number }) => number);
    await this.parts.store.enter(state, numbers, progress, seen);
  }

  /** The candidates in whose threads an outcome followed. */
  private async followed(
    { tenantId, timezone }: Caller,
    { queue: { outcome } }: QueueState,
    candidates: readonly Candidate[],
  ): Promise<readonly Candidate[]> {
    if (outcome === undefined) return candidates;
    const inThreads = candidates.filter(({ threadId }) => threadId !== null);
    if (inThreads.length === 0) return [];
    const { outcomes, effects } = this.parts;
    const from = inThreads.reduce((earliest, { endedAt }) => Math.min(earliest, endedAt), Number.POSITIVE_INFINITY);
    const threads = { field: 'threadId' as const, values: inThreads.map(({ threadId }) => threadId!) };
    const last = await outcomes.last(tenantId, outcome, threads, { now: effects.now(), timezone, from });
    return inThreads.filter(({ threadId, endedAt }) => (last.get(threadId!) ?? Number.NEGATIVE_INFINITY) >= endedAt);
  }
}
