import { quotient } from '../../analytics/events/decimals.ts';
import type { AuditLog } from '../../base/audit/log.ts';
import { ExportLimiter } from '../../base/concurrency/limiter.ts';
import { withoutUndefined } from '../../base/json-schema/values.ts';
import { agentToWrite } from '../../base/shared/agent.ts';
import { type Caller, requireScope } from '../../base/shared/caller.ts';
import type { Effects } from '../../base/shared/effects.ts';
import { conflict, notFound, type RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import { ALL_AGENTS } from '../../base/shared/name-schemas.ts';
import { resolveRange } from '../../base/time/dates.ts';
import { formatUtc } from '../../base/time/time.ts';
import type { AssessmentStore } from '../assessments/store.ts';
import { refuseForeignExecution } from '../executions/service.ts';
import type { SingleExecutions } from '../executions/store.ts';
import type { Outcomes } from '../queues/outcomes.ts';
import { countTraining, exportTraining, type TrainingExport } from './export.ts';
import { MAX_JUDGED, outcomesByRating } from './outcomes.ts';
import { exactWords, searchTerms } from './portuguese.ts';
import {
  type CreateReview,
  type ListReviews,
  MIN_COMMENT,
  type OutcomesQuery,
  type Review,
  type ReviewExists,
  type ReviewList,
  type ReviewOutcomes,
  type ReviewStats,
  type TrainingFilter,
  type TrainingQuery,
  type UpdateReview,
} from './schema.ts';
import type { ReviewCount, ReviewStore, StoredReview } from './store.ts';
import type { TrainingCounts } from './training/schema.ts';

export interface ReviewParts {
  store: ReviewStore;
  executions: SingleExecutions;
  assessments: Pick<AssessmentStore, 'countsOf' | 'ofExecutions'>;
  agents: { register(caller: Caller, names: string[]): Promise<void> };
  audit: Pick<AuditLog, 'record'>;
  outcomes: Pick<Outcomes, 'last'>;
  effects: Effects;
}

export class ReviewService {
  private readonly parts: ReviewParts;
  private readonly exports = new ExportLimiter();

  constructor(parts: ReviewParts) {
    this.parts = parts;
  }

  /** Throws `unprocessable` (short comment), `conflict` (second review) and `forbidden`. */
  async create(caller: Caller, executionId: string, input: CreateReview): Promise<Review> {
    requireScope(caller, 'reviews:write');
    requireComment(input.comment);
    const { store, executions, agents, effects } = this.parts;
    const recordedAgent = await executions.agentOf(caller.tenantId, executionId);
    if (recordedAgent === null) await refuseForeignExecution(executions, caller, executionId);
    const { agentId: named, ...given } = input;
    const agentId = agentToWrite(caller, named ?? caller.agentId ?? recordedAgent ?? undefined);
    const now = effects.now();
    const review: StoredReview = {
      id: effects.newId(),
      executionId,
      agentId,
      ...given,
      status: 'pending_review',
      actionTaken: null,
      resolutionNotes: null,
      correctedOutput: null,
      reviewedBy: caller.label,
      updatedBy: null,
      resolvedBy: null,
      resolvedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    if (await store.findByExecution(caller.tenantId, executionId)) throw reviewed(executionId);
    await agents.register(caller, [agentId]);
    if ((await store.create(caller.tenantId, review)) === 'created') return shownReview(review);
    throw reviewed(executionId);
  }

  async exists(caller: Caller, executionId: string): Promise<ReviewExists> {
    requireScope(caller, 'reviews:read');
    const { store, executions } = this.parts;
    const review = await store.findByExecution(caller.tenantId, executionId);
    if (!review) {
      await refuseForeignExecution(executions, caller, executionId);
      return { exists: false, review: null };
    }
    const { id, rating, status, comment, createdAt } = shownReview(review);
    return { exists: true, review: { id, rating, status, comment, createdAt } };
  }

  async list(caller: Caller, input: ListReviews): Promise<ReviewList> {
    requireScope(caller, 'reviews:read');
    const { limit, offset, agentId, search, match } = input;
    const filter = {
      ...resolveRange(input, { timezone: caller.timezone, now: this.parts.effects.now() }),
      agentId: agentFilter(agentId),
      rating: input.rating && [input.rating],
      status: input.status && [input.status],
      priority: input.priority && [input.priority],
      search: search !== undefined && match === 'stem' ? searchTerms(search) : undefined,
      words: search !== undefined && match === 'exact' ? exactWords(search) : undefined,
    };
    const { items, total } = await this.parts.store.list(caller.tenantId, filter, { limit, offset });
    return { reviews: items.map(shownReview), total, limit, offset };
  }

  async review(caller: Caller, id: string): Promise<Review> {
    requireScope(caller, 'reviews:read');
    const review = await this.parts.store.find(caller.tenantId, id);
    if (!review) throw missing(id);
    return shownReview(review);
  }

  async update(caller: Caller, id: string, input: UpdateReview): Promise<Review> {
    requireScope(caller, 'reviews:write');
    if (input.comment !== undefined) requireComment(input.comment);
    const changes = { ...input, updatedBy: caller.label, updatedAt: this.parts.effects.now() };
    const review = await this.parts.store.update(caller.tenantId, id, changes);
    if (!review) throw missing(id);
    return shownReview(review);
  }

  async remove(caller: Caller, id: string): Promise<void> {
    requireScope(caller, 'reviews:write');
    const { store, audit } = this.parts;
    if (!(await store.remove(caller.tenantId, id))) throw missing(id);
    await audit.record(caller, caller.tenantId, 'review.deleted', id);
  }

  async exportTraining(caller: Caller, { format, assessments, ...filter }: TrainingQuery): Promise<TrainingExport> {
    requireScope(caller, 'reviews:read');
    const { store, audit, effects } = this.parts;
    const asked = { filter: this.trainingFilter(caller, filter), format, now: effects.now() };
    const started = await exportTraining(store, caller.tenantId, {
      ...asked,
      ...(assessments && { assessments: this.parts.assessments }),
    });
    const chunks = this.exports.run(caller.tenantId, started.chunks);
    const details = withoutUndefined({ format, ...filter, assessments: assessments || undefined });
    await audit.record(caller, caller.tenantId, 'training_data.exported', null, details);
    return { ...started, chunks };
  }

  /** Throws `invalid` for dates that it cannot read. */
  async countTraining(caller: Caller, filter: TrainingFilter): Promise<TrainingCounts> {
    requireScope(caller, 'reviews:read');
    return countTraining(this.parts.store, caller.tenantId, this.trainingFilter(caller, filter));
  }

  private trainingFilter(caller: Caller, { agentId, status, rating, priority, tag, ...dates }: TrainingFilter) {
    return {
      ...resolveRange(dates, { timezone: caller.timezone, now: this.parts.effects.now() }),
      agentId: agentFilter(agentId),
      status: status && [status],
      rating: rating && [rating],
      priority: priority && [priority],
      tags: tag === undefined ? undefined : [tag],
    };
  }

  /** Did badly rated executions convert less? Throws `invalid` for dates that it cannot read. */
  async outcomes(caller: Caller, { eventName, agentId, ...dates }: OutcomesQuery): Promise<ReviewOutcomes> {
    requireScope(caller, 'reviews:read');
    requireScope(caller, 'events:read');
    const { store, outcomes, effects } = this.parts;
    const context = { timezone: caller.timezone, now: effects.now() };
    const filter = { ...resolveRange(dates, context), agentId: agentFilter(agentId) };
    const judged = await store.judged(caller.tenantId, filter, MAX_JUDGED + 1);
    const ratings = await outcomesByRating(judged.slice(0, MAX_JUDGED), (of, from) =>
      outcomes.last(caller.tenantId, { eventName }, of, { ...context, from }),
    );
    return { eventName, ratings, isCut: judged.length > MAX_JUDGED };
  }

  async stats(caller: Caller, { agentId }: { agentId: string }): Promise<ReviewStats> {
    requireScope(caller, 'reviews:read');
    return statsOf(await this.parts.store.counts(caller.tenantId, agentFilter(agentId)));
  }
}

/** Undefined for every agent. */
function agentFilter(agentId: string | undefined): string | undefined {
  return agentId === ALL_AGENTS ? undefined : agentId;
}

const MS_PER_HOUR = 3_600_000;

function statsOf(counts: ReviewCount[]): ReviewStats {
  const sum = (matches: (count: ReviewCount) => boolean) =>
    counts.filter(matches).reduce((total, { reviews }) => total + reviews, 0);
  const resolved = sum(({ status }) => status === 'resolved');
  const resolutionMs = counts.reduce((total, count) => total + count.resolutionMs, 0);
  return {
    total: sum(() => true),
    pending: sum(({ status }) => status === 'pending_review'),
    inProgress: sum(({ status }) => status === 'in_progress'),
    resolved,
    badReviews: sum(({ rating }) => rating === 'bad'),
    needsImprovement: sum(({ rating }) => rating === 'needs_improvement'),
    critical: sum(({ priority }) => priority === 'critical'),
    highPriority: sum(({ priority }) => priority === 'high'),
    avgResolutionHours: resolved === 0 ? 0 : quotient(resolutionMs, resolved * MS_PER_HOUR),
  };
}

function requireComment(comment: string): void {
  if ([...comment.trim()].length >= MIN_COMMENT) return;
  throw unprocessable(`comment: must have at least ${MIN_COMMENT} characters; say what you saw.`);
}

function reviewed(executionId: string): RuntimeError {
  return conflict(`The execution "${executionId}" has a review already; update that one.`);
}

/** Also used for another tenant's review, to hide its existence. */
function missing(id: string): RuntimeError {
  return notFound(`There is no review "${id}".`);
}

export function shownReview({ createdAt, updatedAt, resolvedAt, ...review }: StoredReview): Review {
  return {
    ...review,
    resolvedAt: resolvedAt === null ? null : formatUtc(resolvedAt),
    createdAt: formatUtc(createdAt),
    updatedAt: formatUtc(updatedAt),
  };
}
