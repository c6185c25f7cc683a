import type { ExecutionFilter, ExecutionPlace } from '../executions/store.ts';
import type { CreateQueue } from './schema.ts';

/** Times are epoch milliseconds. */
export interface StoredQueue extends CreateQueue {
  id: string;
  createdAt: number;
  createdBy: string;
  updatedAt: number;
}

/** A queue, and how far it was filled. */
export interface QueueState {
  queue: StoredQueue;
  /** Another one after each change of its rules. */
  revision: number;
  /** The place in the list of executions, the oldest first, up to which it was filled. */
  place: ExecutionPlace | null;
  /** The list was walked to its end; since then changes alone fill the queue. */
  isWalked: boolean;
  /** Outcomes before were looked at; null: none. */
  outcomesFrom: number | null;
}

export type QueueProgress = Partial<Pick<QueueState, 'place' | 'isWalked' | 'outcomesFrom'>>;

/** The state of an item for a person who was handed it. */
export type HandState = 'taken' | 'done' | 'skipped';

/** `id` is unique within the tenant. */
export interface QueueAssessor {
  id: string;
  label: string;
}

export interface HeldItem {
  executionId: string;
  leaseUntil: number;
}

export interface QueueCounts {
  /** Not done; at most `most`. */
  waiting: number;
  done: number;
}

export interface PersonProgress {
  assessor: string;
  label: string;
  done: number;
  skipped: number;
}

/** An execution whose place in queues is to be looked at. */
export interface Candidate {
  number: number;
  id: string;
  threadId: string | null;
  /** When it started, else was created. */
  at: number;
  /** When it ended; of one that runs, when it started. */
  endedAt: number;
}

/** An execution that changed. `mark` is another one after each change. */
export interface ChangedExecution {
  number: number;
  mark: number;
}

/** Executions that were looked at, at `now` (epoch milliseconds). */
export interface SeenExecutions {
  numbers: readonly number[];
  now: number;
}

export type Released = 'unknown' | 'never held' | 'held by another' | 'released' | HeldItem;

export interface QueueDefinitions {
  /** By name. */
  all(tenantId: string): Promise<QueueState[]>;
  find(tenantId: string, name: string): Promise<QueueState | null>;
  /** From its commit on the changes of the tenant's executions are noted. */
  create(tenantId: string, queue: StoredQueue): Promise<'created' | 'conflict' | 'unknown tenant'>;
  /**
   * Finds the queue by its id. `refill` says that its rules changed: it is filled anew, and only
   * items that somebody holds, has finished or has skipped stay. False if it was removed meanwhile.
   */
  change(tenantId: string, queue: StoredQueue, refill: boolean): Promise<boolean>;
  /** With its items. */
  remove(tenantId: string, name: string): Promise<boolean>;
  counts(queueId: string, most: number): Promise<QueueCounts>;
  /** Everybody who finished or skipped something, by label; at most `limit`. */
  people(queueId: string, limit: number): Promise<PersonProgress[]>;
}

/**
 * Each method is one transaction that has the queue to itself: of several who ask at once no two
 * get the same item.
 */
export interface QueueHands {
  /**
   * The item that the assessor holds, with a new lease; else the oldest open item without a holder
   * that the assessor has neither finished nor skipped. If that item had a holder whose lease has
   * ended, its execution is noted as changed, and the answer is `lease ended`; `last` hands it out.
   */
  take(
    queueId: string,
    by: QueueAssessor,
    lease: { now: number; until: number },
    last?: boolean,
  ): Promise<HeldItem | 'lease ended' | null>;
  settle(
    queueId: string,
    executionId: string,
    by: QueueAssessor,
    as: Exclude<HandState, 'taken'>,
    now: number,
  ): Promise<'unknown' | 'never held' | 'settled'>;
  /**
   * Gives back an item that they hold; its execution counts as changed. One that they finished or
   * skipped they hold again.
   */
  release(
    queueId: string,
    executionId: string,
    by: QueueAssessor,
    lease: { now: number; until: number },
  ): Promise<Released>;
}

export interface QueueFills {
  /** Executions of the tenant that changed since it has a queue, and were not seen yet. */
  changes(tenantId: string, limit: number): Promise<ChangedExecution[]>;
  /** Forgets the changes, but for executions that changed again. */
  changesSeen(tenantId: string, changes: readonly ChangedExecution[]): Promise<void>;
  /** A page of the list of executions that match, the oldest first. */
  candidates(
    tenantId: string,
    filter: ExecutionFilter,
    after: ExecutionPlace | null,
    limit: number,
  ): Promise<Candidate[]>;
  /** The executions of these numbers that match. */
  matching(tenantId: string, filter: ExecutionFilter, numbers: readonly number[]): Promise<Candidate[]>;
  /** The numbers of the threads' executions, in their order after `after`. */
  numbersOf(tenantId: string, threadIds: readonly string[], after: number, limit: number): Promise<number[]>;
  /**
   * Adds items, once each, and keeps the progress; of `seen` the others leave the queue, unless
   * somebody holds, has finished or has skipped them. Nothing happens to a queue whose rules
   * changed.
   */
  enter(
    state: Pick<QueueState, 'queue' | 'revision'>,
    numbers: readonly number[],
    progress: QueueProgress,
    seen?: SeenExecutions,
  ): Promise<void>;
}

/** Every method that takes a tenant sees no other one. */
export interface QueueStore extends QueueDefinitions, QueueHands, QueueFills {}
