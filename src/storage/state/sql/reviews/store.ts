import { type DeleteQueryBuilder, type DeleteResult, sql } from 'kysely';
import type { ErasedConversations } from '../../../../core/agents/executions/store.ts';
import type {
  JudgedExecution,
  ReviewChanges,
  ReviewCount,
  ReviewedExecution,
  ReviewFilter,
  ReviewPlace,
  ReviewStore,
  StoredReview,
  TrainingCount,
  TrainingKind,
} from '../../../../core/agents/reviews/store.ts';
import { KeyedLimiter } from '../../../../core/base/concurrency/limiter.ts';
import { withoutUndefined } from '../../../../core/base/json-schema/values.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateReader, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { removeAll, someErased } from '../executions/erased.ts';
import { toRow } from '../rows.ts';
import { judgedExecutions, listReviews, reviewedExecutionIds, toReview } from './lists.ts';
import { indexedTerms } from './terms.ts';
import { countOfThread, reviewsOfThread } from './threads.ts';
import { countForTraining, readForTraining } from './training.ts';

/** One slow query per tenant at a time: a busy tenant delays only itself. */
const LONG_QUESTIONS_OF_TENANT = {
  concurrency: 1,
  maxQueue: 100,
  rejection: 'Too many lists and exports of reviews are asked for at once. Try again.',
};

export class SqlReviewStore implements ReviewStore {
  private readonly database: StateDatabase;
  private readonly reader: StateReader;
  private readonly longQuestions = new KeyedLimiter(LONG_QUESTIONS_OF_TENANT);

  constructor(database: StateDatabase, reader: StateReader) {
    this.database = database;
    this.reader = reader;
  }

  async create(tenantId: string, review: StoredReview): Promise<'created' | 'conflict'> {
    return this.database.transaction().execute(async (transaction) => {
      // The numbers of a tenant are committed in their order: an export continues after the last
      // one it saw.
      await lockTenant(transaction, tenantId);
      const row = await transaction
        .insertInto('reviews')
        .values({ ...toRow(review), tenant_id: tenantId, tags: JSON.stringify(review.tags) })
        .onConflict((conflict) => conflict.columns(['tenant_id', 'execution_id']).doNothing())
        .returning('number')
        .executeTakeFirst();
      if (!row) return 'conflict';
      await this.index(transaction, tenantId, row.number, review);
      return 'created';
    });
  }

  async find(tenantId: string, id: string): Promise<StoredReview | null> {
    return this.findBy(tenantId, 'id', id);
  }

  async findByExecution(tenantId: string, executionId: string): Promise<StoredReview | null> {
    return this.findBy(tenantId, 'execution_id', executionId);
  }

  async update(tenantId: string, id: string, changes: ReviewChanges): Promise<StoredReview | null> {
    return this.database.transaction().execute(async (transaction) => {
      await lockTenant(transaction, tenantId);
      const row = await transaction
        .updateTable('reviews')
        .set(columnsOf(changes))
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row) return null;
      const review = toReview(row);
      await transaction.deleteFrom('review_index').where('rowid', '=', row.number).execute();
      await this.index(transaction, tenantId, row.number, review);
      return review;
    });
  }

  async remove(tenantId: string, id: string): Promise<boolean> {
    return (await this.removeSome(tenantId, (reviews) => reviews.where('id', '=', id))) === 1;
  }

  list(tenantId: string, filter: ReviewFilter, page: { limit: number; offset: number }) {
    return this.longQuestions.run(tenantId, () => listReviews(this.reader, tenantId, filter, page));
  }

  async counts(tenantId: string, agentId: string | undefined): Promise<ReviewCount[]> {
    const rows = await this.database
      .selectFrom('review_counts')
      .select(['rating', 'status', 'priority', 'reviews', 'resolution_ms'])
      .where('tenant_id', '=', tenantId)
      .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId!))
      .execute();
    return rows.map(({ resolution_ms: resolutionMs, ...count }) => ({ ...count, resolutionMs }));
  }

  executionIds(tenantId: string, filter: ReviewFilter, limit: number): Promise<string[]> {
    return this.longQuestions.run(tenantId, () => reviewedExecutionIds(this.reader, tenantId, filter, limit));
  }

  judged(tenantId: string, filter: ReviewFilter, limit: number): Promise<JudgedExecution[]> {
    return this.longQuestions.run(tenantId, () => judgedExecutions(this.reader, tenantId, filter, limit));
  }

  ofThread(
    tenantId: string,
    threadId: string,
    page: { after: ReviewPlace | null; limit: number },
  ): Promise<StoredReview[]> {
    return this.longQuestions.run(tenantId, () => reviewsOfThread(this.reader, [tenantId, threadId], page));
  }

  countOfThread(tenantId: string, threadId: string, most: number): Promise<number> {
    return this.longQuestions.run(tenantId, () => countOfThread(this.reader, [tenantId, threadId], most));
  }

  trainingCounts(tenantId: string, filter: ReviewFilter): Promise<TrainingCount[]> {
    return this.longQuestions.run(tenantId, () => countForTraining(this.reader, tenantId, filter));
  }

  trainingPage(
    tenantId: string,
    filter: ReviewFilter,
    after: number,
    kinds?: readonly TrainingKind[],
  ): Promise<ReviewedExecution[]> {
    return this.longQuestions.run(tenantId, () => readForTraining(this.reader, tenantId, { filter, after, kinds }));
  }

  async erase(tenantId: string, erased: ErasedConversations | null): Promise<number> {
    const some = someErased<number>(this.database, ['reviews', 'number'], tenantId, erased);
    const count = await removeAll(() => this.removeSome(tenantId, (reviews) => reviews.where('number', 'in', some)));
    await dialectOf(this.database).terms.forgetRemoved('review_index', this.database);
    return count;
  }

  private removeSome(
    tenantId: string,
    which: (reviews: DeleteQueryBuilder<StateTables, 'reviews', DeleteResult>) => typeof reviews,
  ): Promise<number> {
    const { database } = this;
    return dialectOf(database).whileLocked(database, { table: 'tenants', id: tenantId }, async (locked) => {
      const removal = which(locked.deleteFrom('reviews').where('tenant_id', '=', tenantId));
      return Number((await removal.executeTakeFirst()).numDeletedRows);
    });
  }

  private async index(transaction: StateTransaction, tenantId: string, number: number, review: StoredReview) {
    const { terms } = dialectOf(transaction);
    await terms.insert('review_index', [[number, indexedTerms(tenantId, review)]]).execute(transaction);
  }

  private async findBy(tenantId: string, column: 'id' | 'execution_id', value: string): Promise<StoredReview | null> {
    const row = await this.database
      .selectFrom('reviews')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where(column, '=', value)
      .executeTakeFirst();
    return row ? toReview(row) : null;
  }
}

/**
 * The counts of a tenant change in one order: changes beside each other would wait for one another.
 */
function lockTenant(transaction: StateTransaction, id: string): Promise<void> {
  return dialectOf(transaction).lock(transaction, { table: 'tenants', id });
}

/** In SQL, so that concurrent changes build on each other. */
function columnsOf({ updatedBy, updatedAt, ...changes }: ReviewChanges) {
  const { status, tags } = changes;
  const kept = withoutUndefined({ ...toRow(changes), tags: tags && JSON.stringify(tags) });
  const resolution =
    status === undefined
      ? {}
      : status === 'resolved'
        ? {
            resolved_by: sql<string>`coalesce(resolved_by, ${updatedBy})`,
            resolved_at: sql<number>`coalesce(resolved_at, ${updatedAt})`,
          }
        : { resolved_by: null, resolved_at: null };
  return { ...kept, ...resolution, updated_by: updatedBy, updated_at: updatedAt };
}
