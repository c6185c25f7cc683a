import { type RawBuilder, sql } from 'kysely';
import type {
  PersonProgress,
  QueueCounts,
  QueueState,
  QueueStore,
  StoredQueue,
} from '../../../../core/agents/queues/store.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateReader } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { removeAll } from '../executions/erased.ts';
import { fromRow, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';
import { candidates, changes, changesSeen, enter, matchingCandidates, numbersOf } from './fills.ts';
import { releaseItem, settleItem, takeItem } from './hands.ts';
import { untouched } from './untouched.ts';

type QueueRow = StateTables['queues'];

/** Items per statement: other changes run in between. */
const REMOVED_AT_ONCE = 1_000;

export class SqlQueueStore implements QueueStore {
  private readonly database: StateDatabase;
  private readonly reader: StateReader;

  constructor(database: StateDatabase, reader: StateReader = database) {
    this.database = database;
    this.reader = reader;
  }

  async all(tenantId: string): Promise<QueueState[]> {
    const rows = await this.database
      .selectFrom('queues')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .orderBy('name')
      .execute();
    return rows.map(toState);
  }

  async find(tenantId: string, name: string): Promise<QueueState | null> {
    const row = await this.database
      .selectFrom('queues')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .executeTakeFirst();
    return row ? toState(row) : null;
  }

  create(tenantId: string, queue: StoredQueue): Promise<'created' | 'conflict' | 'unknown tenant'> {
    const created = this.database.transaction().execute(async (transaction) => {
      // Writes that are under way do not know of the queue, and would not be noted.
      await dialectOf(transaction).stopWrites(transaction, ['executions', 'reviews']);
      const row = { ...toQueueRow(queue), tenant_id: tenantId, ...FIRST, outcomes_from: null };
      await transaction.insertInto('queues').values(row).execute();
      return 'created' as const;
    });
    return violationAsResult(created, { unique: 'conflict', 'foreign key': 'unknown tenant' } as const);
  }

  async change(tenantId: string, queue: StoredQueue, refill: boolean): Promise<boolean> {
    const { id, assessors } = queue;
    const isUntouched = untouched(queue.updatedAt);
    if (refill) {
      // Should this end midway, the former rules fill it again.
      await this.changeRow(tenantId, id, FIRST);
      await this.removeItems(id, isUntouched);
    }
    return this.database.transaction().execute(async (transaction) => {
      await dialectOf(transaction).lock(transaction, { table: 'queues', id });
      const { created_at: _, created_by: __, ...row } = toQueueRow(queue);
      const refilled = refill ? { ...FIRST, outcomes_from: null, revision: sql<number>`revision + 1` } : {};
      const changed = await transaction
        .updateTable('queues')
        .set({ ...row, ...refilled })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .returning('id')
        .executeTakeFirst();
      if (!changed) return false;
      if (refill) await sql`DELETE FROM queue_items WHERE queue_id = ${id} AND ${isUntouched}`.execute(transaction);
      await sql`UPDATE queue_items SET is_open = 1 - is_open WHERE queue_id = ${id}
        AND is_open = CASE WHEN done_count < ${assessors} THEN 0 ELSE 1 END`.execute(transaction);
      return true;
    });
  }

  async remove(tenantId: string, name: string): Promise<boolean> {
    const found = await this.find(tenantId, name);
    if (!found) return false;
    await this.removeItems(found.queue.id, sql<boolean>`true`);
    return this.database.transaction().execute(async (transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('queues')
        .where('tenant_id', '=', tenantId)
        .where('id', '=', found.queue.id)
        .executeTakeFirst();
      // Nobody looks at the changes of a tenant without a queue.
      await sql`DELETE FROM queue_changes WHERE tenant_id = ${tenantId}
        AND NOT EXISTS (SELECT 1 FROM queues WHERE tenant_id = ${tenantId})`.execute(transaction);
      return numDeletedRows > 0n;
    });
  }

  async counts(queueId: string, most: number): Promise<QueueCounts> {
    const { rows } = await sql<QueueCounts>`SELECT
      (SELECT count(*) FROM (SELECT 1 FROM queue_items WHERE queue_id = ${queueId} AND is_open = 1 LIMIT ${most}) AS counted)
        AS waiting,
      (SELECT count(*) FROM queue_items WHERE queue_id = ${queueId} AND is_open = 0) AS done`.execute(this.reader);
    return rows[0]!;
  }

  async people(queueId: string, limit: number): Promise<PersonProgress[]> {
    const { rows } = await sql<PersonProgress>`SELECT assessor, max(label) AS label,
        sum(CASE WHEN state = 'done' THEN 1 ELSE 0 END) AS done, sum(CASE WHEN state = 'skipped' THEN 1 ELSE 0 END) AS skipped
      FROM queue_hands WHERE queue_id = ${queueId} AND state IN ('done', 'skipped')
      GROUP BY assessor ORDER BY label, assessor LIMIT ${limit}`.execute(this.reader);
    return rows.map((row) => ({ ...row, done: Number(row.done), skipped: Number(row.skipped) }));
  }

  take(...given: Parameters<QueueStore['take']>) {
    return takeItem(this.database, ...given);
  }

  settle(...given: Parameters<QueueStore['settle']>) {
    return settleItem(this.database, ...given);
  }

  release(...given: Parameters<QueueStore['release']>) {
    return releaseItem(this.database, ...given);
  }

  changes(tenantId: string, limit: number) {
    return changes(this.database, tenantId, limit);
  }

  changesSeen(...given: Parameters<QueueStore['changesSeen']>) {
    return changesSeen(this.database, ...given);
  }

  candidates(...[tenantId, filter, after, limit]: Parameters<QueueStore['candidates']>) {
    return candidates({ reader: this.reader, tenantId, filter }, after, limit);
  }

  matching(...[tenantId, filter, numbers]: Parameters<QueueStore['matching']>) {
    return matchingCandidates({ reader: this.reader, tenantId, filter }, numbers);
  }

  numbersOf(...given: Parameters<QueueStore['numbersOf']>) {
    return numbersOf(this.reader, ...given);
  }

  enter(...given: Parameters<QueueStore['enter']>) {
    return enter(this.database, ...given);
  }

  private async changeRow(tenantId: string, id: string, columns: Partial<QueueRow>): Promise<void> {
    await this.database
      .updateTable('queues')
      .set(columns)
      .where('tenant_id', '=', tenantId)
      .where('id', '=', id)
      .execute();
  }

  private async removeItems(queueId: string, condition: RawBuilder<boolean>): Promise<void> {
    const removal = sql`DELETE FROM queue_items WHERE queue_id = ${queueId} AND number IN (
      SELECT number FROM queue_items WHERE queue_id = ${queueId} AND ${condition} LIMIT ${REMOVED_AT_ONCE})`;
    await removeAll(async () => Number((await removal.execute(this.database)).numAffectedRows ?? 0));
  }
}

/** Nothing was filled. */
const FIRST = { place: null, is_walked: 0 };

function toState(row: QueueRow): QueueState {
  const { tenant_id: _, definition, revision, place, is_walked: isWalked, outcomes_from: outcomesFrom, ...rest } = row;
  const queue = { ...(JSON.parse(definition) as Omit<StoredQueue, keyof typeof rest>), ...fromRow(rest) };
  return { queue, revision, place: place && JSON.parse(place), isWalked: isWalked === 1, outcomesFrom };
}

function toQueueRow({ id, name, assessors, createdAt, createdBy, updatedAt, ...definition }: StoredQueue) {
  return {
    ...toRow({ id, name, assessors, createdAt, createdBy, updatedAt }),
    definition: JSON.stringify(definition),
    revision: 1,
  };
}
