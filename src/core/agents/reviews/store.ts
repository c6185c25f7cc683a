import type { Page } from '../../base/shared/paging.ts';
import type { ErasedConversations } from '../executions/store.ts';
import type { Review } from './schema.ts';

/** Times are epoch milliseconds. */
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
  /** Created at or after `from` and before `to`, in epoch milliseconds. */
  from?: number | null | undefined;
  to?: number | null | undefined;
  /** From `searchTerms`; an empty list finds nothing. */
  search?: string[][] | undefined;
  /** From `exactWords`: all of them. An empty list finds nothing. */
  words?: string[] | undefined;
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

export interface ReviewCount extends Pick<StoredReview, 'rating' | 'status' | 'priority'> {
  reviews: number;
  resolutionMs: number;
}

export interface JudgedExecution {
  executionId: string;
  rating: StoredReview['rating'];
  /** Null also when the execution was not recorded. */
  threadId: string | null;
  /** Its start; of one that was not recorded, when it was reviewed. */
  at: number;
}

export interface ReviewedExecution {
  /** In the order of creation. */
  number: number;
  id: string;
  executionId: string;
  rating: StoredReview['rating'];
  correctedOutput: string | null;
  /** JSON texts; null when the execution was not recorded. */
  content: { messages: string; output: string } | null;
}

export interface TrainingKind {
  rating: StoredReview['rating'];
  wasCorrected: boolean;
  /** From `shapeOf`; null when the execution was not recorded. */
  shape: string | null;
}

export interface TrainingCount extends TrainingKind {
  reviews: number;
}

/** After the review that was created then and has this id. */
export type ReviewPlace = [createdAt: number, id: string];

/** At most one review per execution of a tenant. A read sees every completed write. */
export interface ReviewStore {
  create(tenantId: string, review: StoredReview): Promise<'created' | 'conflict'>;
  find(tenantId: string, id: string): Promise<StoredReview | null>;
  findByExecution(tenantId: string, executionId: string): Promise<StoredReview | null>;
  /** Last created first (clocks may be set back); with only a date filter by `createdAt`. */
  list(tenantId: string, filter: ReviewFilter, page: { limit: number; offset: number }): Promise<Page<StoredReview>>;
  /** `resolved` sets `resolvedBy` and `resolvedAt` once; any other status clears them. */
  update(tenantId: string, id: string, changes: ReviewChanges): Promise<StoredReview | null>;
  remove(tenantId: string, id: string): Promise<boolean>;
  /** In constant time. Undefined: of every agent. */
  counts(tenantId: string, agentId: string | undefined): Promise<ReviewCount[]>;
  executionIds(tenantId: string, filter: ReviewFilter, limit: number): Promise<string[]>;
  /** Executions of the newest reviews. */
  judged(tenantId: string, filter: ReviewFilter, limit: number): Promise<JudgedExecution[]>;
  trainingCounts(tenantId: string, filter: ReviewFilter): Promise<TrainingCount[]>;
  /** Reviews of the recorded executions of a thread, by creation and id, after that place. */
  ofThread(
    tenantId: string,
    threadId: string,
    page: { after: ReviewPlace | null; limit: number },
  ): Promise<StoredReview[]>;
  /** How many these are, at most `most`. */
  countOfThread(tenantId: string, threadId: string, most: number): Promise<number>;
  /** By number after the cursor `after`; empty at the end. */
  trainingPage(
    tenantId: string,
    filter: ReviewFilter,
    after: number,
    kinds?: readonly TrainingKind[],
  ): Promise<ReviewedExecution[]>;
  /** Null erases the whole tenant. Returns the number of reviews. */
  erase(tenantId: string, erased: ErasedConversations | null): Promise<number>;
}
