import type { ErasedThread } from '../executions/store.ts';
import type { Review } from './schema.ts';

/** A review as it is kept. Times are epoch milliseconds. */
export interface StoredReview extends Omit<Review, 'createdAt' | 'updatedAt' | 'resolvedAt'> {
  createdAt: number;
  updatedAt: number;
  resolvedAt: number | null;
}

/** Which reviews are meant: all that is given must hold. */
export interface ReviewFilter {
  agentId?: string | undefined;
  rating?: readonly StoredReview['rating'][] | undefined;
  status?: readonly StoredReview['status'][] | undefined;
  priority?: readonly StoredReview['priority'][] | undefined;
  /** Has at least one of them. */
  tags?: readonly string[] | undefined;
  /** Created at or after it, epoch milliseconds. */
  from?: number | null | undefined;
  /** Created before it. */
  to?: number | null | undefined;
  /** The words of a search as `portuguese.ts` makes them; without any, nothing is found. */
  search?: string[][] | undefined;
}

/** What an update sets; what is undefined stays. */
export interface ReviewChanges
  extends Partial<
    Pick<
      StoredReview,
      'status' | 'actionTaken' | 'resolutionNotes' | 'correctedOutput' | 'comment' | 'priority' | 'tags'
    >
  > {
  updatedBy: string;
  updatedAt: number;
}

/** Reviews of one kind: how many, and how long the resolved ones among them took together. */
export interface ReviewCount extends Pick<StoredReview, 'rating' | 'status' | 'priority'> {
  reviews: number;
  resolutionMs: number;
}

/** A review as the training export reads it, with what was recorded of its execution. */
export interface ReviewedExecution {
  /** Counts up in the order of creation. */
  number: number;
  id: string;
  executionId: string;
  rating: StoredReview['rating'];
  correctedOutput: string | null;
  /** JSON texts, as an execution keeps them; null when it was not recorded. */
  content: { messages: string; output: string } | null;
}

/** What a training format tells reviews apart by. */
export interface TrainingKind {
  rating: StoredReview['rating'];
  wasCorrected: boolean;
  /** Of the recorded execution; null when there is none. */
  shape: string | null;
}

export interface TrainingCount extends TrainingKind {
  reviews: number;
}

/** Reviews of executions: at most one of each execution within a tenant. What is kept is found at once. */
export interface ReviewStore {
  create(tenantId: string, review: StoredReview): Promise<'created' | 'conflict'>;
  find(tenantId: string, id: string): Promise<StoredReview | null>;
  findByExecution(tenantId: string, executionId: string): Promise<StoredReview | null>;
  /**
   * One page, newest first, and how many there are on all pages. Where dates are all that is asked for, newest goes by
   * `createdAt` and then by the order of creation, else by the latter alone: clocks may stand back.
   */
  list(
    tenantId: string,
    filter: ReviewFilter,
    page: { limit: number; offset: number },
  ): Promise<{ reviews: StoredReview[]; total: number }>;
  /**
   * Changes a review. Becoming `resolved` sets by whom and when, from the change's own author and time; staying so keeps
   * them; any other status clears them. Null when there is none.
   */
  update(tenantId: string, id: string, changes: ReviewChanges): Promise<StoredReview | null>;
  /** False when there is none. */
  remove(tenantId: string, id: string): Promise<boolean>;
  /** One entry for each kind that an agent has. As fast for millions as for one. */
  counts(tenantId: string, agentId: string): Promise<ReviewCount[]>;
  /** The executions of the reviews that match, at most `limit` of them. */
  executionIds(tenantId: string, filter: ReviewFilter, limit: number): Promise<string[]>;
  trainingCounts(tenantId: string, filter: ReviewFilter): Promise<TrainingCount[]>;
  /**
   * Reviews with a number above `after`, of these kinds where they are given, in the order of their numbers; as many as
   * are read at once, none at the end.
   */
  trainingPage(
    tenantId: string,
    filter: ReviewFilter,
    after: number,
    kinds?: readonly TrainingKind[],
  ): Promise<ReviewedExecution[]>;
  /** Removes the tenant's reviews, or those of executions of one thread. Returns how many there were. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}
