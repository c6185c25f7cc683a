import type { ErasedThread } from '../executions/store.ts';
import type { Review } from './schema.ts';

/** A stored review. Times are epoch milliseconds. */
export interface StoredReview extends Omit<Review, 'createdAt' | 'updatedAt' | 'resolvedAt'> {
  createdAt: number;
  updatedAt: number;
  resolvedAt: number | null;
}

export interface ReviewFilter {
  agentId?: string | undefined;
  rating?: readonly StoredReview['rating'][] | undefined;
  status?: readonly StoredReview['status'][] | undefined;
  priority?: readonly StoredReview['priority'][] | undefined;
  /** At least one of these tags. */
  tags?: readonly string[] | undefined;
  /** Created at or after it, epoch milliseconds. */
  from?: number | null | undefined;
  to?: number | null | undefined;
  /** As `searchTerms` returns them; an empty list finds nothing. */
  search?: string[][] | undefined;
}

/** Undefined members stay unchanged. */
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

/** Number of reviews of one kind, with the total resolution time. */
export interface ReviewCount extends Pick<StoredReview, 'rating' | 'status' | 'priority'> {
  reviews: number;
  resolutionMs: number;
}

export interface ReviewedExecution {
  /** In the order of creation. */
  number: number;
  id: string;
  executionId: string;
  rating: StoredReview['rating'];
  correctedOutput: string | null;
  /** JSON texts of the execution; null when it was not recorded. */
  content: { messages: string; output: string } | null;
}

/** What decides whether a training format can express a review. */
export interface TrainingKind {
  rating: StoredReview['rating'];
  wasCorrected: boolean;
  /** Shape of the execution; null when it was not recorded. */
  shape: string | null;
}

export interface TrainingCount extends TrainingKind {
  reviews: number;
}

/** Reviews, at most one per execution of a tenant. A read sees every completed write. */
export interface ReviewStore {
  create(tenantId: string, review: StoredReview): Promise<'created' | 'conflict'>;
  find(tenantId: string, id: string): Promise<StoredReview | null>;
  findByExecution(tenantId: string, executionId: string): Promise<StoredReview | null>;
  /**
   * One page, newest first, and the total. With a filter of dates alone the order is by
   * `createdAt`, then by creation; otherwise by creation alone, because clocks may be set back.
   */
  list(
    tenantId: string,
    filter: ReviewFilter,
    page: { limit: number; offset: number },
  ): Promise<{ reviews: StoredReview[]; total: number }>;
  /**
   * Changes a review. The status `resolved` sets `resolvedBy` and `resolvedAt` from the author and
   * time of the change, unless they are set; any other status clears them. Null when there is no
   * such review.
   */
  update(tenantId: string, id: string, changes: ReviewChanges): Promise<StoredReview | null>;
  /** False when there is none. */
  remove(tenantId: string, id: string): Promise<boolean>;
  /** One entry per kind, in constant time. */
  counts(tenantId: string, agentId: string): Promise<ReviewCount[]>;
  /** Executions of matching reviews, at most `limit`. */
  executionIds(tenantId: string, filter: ReviewFilter, limit: number): Promise<string[]>;
  trainingCounts(tenantId: string, filter: ReviewFilter): Promise<TrainingCount[]>;
  /** The next page by number after the cursor `after`, of the given kinds; empty at the end. */
  trainingPage(
    tenantId: string,
    filter: ReviewFilter,
    after: number,
    kinds?: readonly TrainingKind[],
  ): Promise<ReviewedExecution[]>;
  /** Removes the tenant's reviews, or those of one thread's executions. Returns their number. */
  erase(tenantId: string, thread: ErasedThread | null): Promise<number>;
}
