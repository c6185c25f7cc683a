import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import type { Page } from '../../../../core/base/shared/paging.ts';
import type {
  ClaimedDelivery,
  ClaimQuery,
  Delivery,
  DeliveryCounts,
  DeliveryLease,
  DeliveryLoad,
  DeliveryQuery,
  DeliverySource,
  DeliveryStore,
  NewDelivery,
  Settlement,
} from '../../../../core/watch/deliveries/store.ts';
import type { TargetType } from '../../../../core/watch/deliveries/targets.ts';
import type { StateTables } from '../../schema/types.ts';
import type { StateDatabase, StateTransaction } from '../database.ts';
import { dialectOf } from '../dialect.ts';
import { runsElsewhere } from '../installation.ts';
import { fromRow, toRow } from '../rows.ts';
import { violationAsResult } from '../violations.ts';
import { bodiesOf, insertMessages, messageIds, pruneMessages, removeUnneeded, withMessages } from './messages.ts';

type DeliveryRow = Selectable<StateTables['deliveries']>;
type Changes = UpdateObject<StateTables, 'deliveries'>;

/** More than the clocks of two processes differ. */
const SKEW_MS = 60_000;

/** True also where the clock was set back after the last attempt. */
function isDue(now: number) {
  return sql`(due_at <= ${now} OR (is_claimed = 0 AND coalesce(attempted_at, created_at) > ${now + SKEW_MS}))`;
}

function isOf(types: readonly TargetType[] | undefined) {
  return types === undefined ? sql`true` : sql`target_type IN (${sql.join(types)})`;
}

export class SqlDeliveryStore implements DeliveryStore {
  private readonly database: StateDatabase;
  private readonly runner: string;

  constructor(database: StateDatabase, runner: string = randomUUID()) {
    this.database = database;
    this.runner = runner;
  }

  add(tenantId: string, deliveries: readonly NewDelivery[]): Promise<'added' | 'unknown tenant'> {
    const added = withMessages(this.database, { tenantId, deliveries, added: 'added' as const }, () =>
      this.database.transaction().execute(async (transaction) => {
        await insertDeliveries(transaction, tenantId, deliveries);
        return 'added' as const;
      }),
    );
    return violationAsResult(added, { 'foreign key': 'unknown tenant' } as const);
  }

  /** Skips from tenant to tenant in the index: thousands of deliveries may wait. */
  async dueTenants(now: number, types?: readonly TargetType[]): Promise<string[]> {
    const after = (tenant: string) => sql`
      (SELECT min(tenant_id) FROM deliveries WHERE state = 'waiting' AND tenant_id > ${sql.raw(tenant)})`;
    const { rows } = await sql<{ id: string }>`
      WITH RECURSIVE tenant (id) AS (
        SELECT ${after("''")} UNION ALL SELECT ${after('tenant.id')} FROM tenant WHERE tenant.id IS NOT NULL
      )
      SELECT id FROM tenant WHERE id IS NOT NULL AND EXISTS (
        SELECT 1 FROM deliveries WHERE state = 'waiting' AND tenant_id = tenant.id AND ${isDue(now)} AND ${isOf(types)}
      )`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  claim(tenantId: string, { now, leaseUntil, limit, types }: ClaimQuery): Promise<ClaimedDelivery[]> {
    return this.database.transaction().execute(async (transaction) => {
      const { rows } = await sql<DeliveryRow>`
        UPDATE deliveries SET is_claimed = 1, runner = ${this.runner}, fence = fence + 1, due_at = ${leaseUntil} WHERE id IN (
          SELECT id FROM deliveries WHERE state = 'waiting' AND tenant_id = ${tenantId} AND ${isDue(now)} AND ${isOf(types)}
          ORDER BY due_at, id LIMIT ${limit} ${dialectOf(transaction).skipLocked}
        ) RETURNING *`.execute(transaction);
      const bodies = await bodiesOf(
        transaction,
        rows.flatMap(({ message_id: id }) => id ?? []),
      );
      return rows.map((row) => toClaimed(row, bodies)).sort((one, other) => (one.lease.id < other.lease.id ? -1 : 1));
    });
  }

  async nextDue(now: number): Promise<number | null> {
    const row = await this.database
      .selectFrom('deliveries')
      .select('due_at')
      .where(sql<boolean>`state = 'waiting'`)
      .where('due_at', '>', now)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    return row?.due_at ?? null;
  }

  settle(lease: DeliveryLease, settlement: Settlement): Promise<boolean> {
    const { state, at } = settlement;
    const attempt = { state, attempted_at: at, attempts: sql<number>`attempts + 1` };
    return this.change(lease, { ...changesBy(settlement), ...attempt });
  }

  release(lease: DeliveryLease, now: number): Promise<boolean> {
    return this.change(lease, { due_at: now });
  }

  async releaseAbandoned(now: number): Promise<void> {
    await sql`UPDATE deliveries SET is_claimed = 0, due_at = ${now} WHERE state = 'waiting' AND is_claimed = 1
      AND (runner IS NULL OR runner <> ${this.runner}) AND NOT ${runsElsewhere('deliveries', this.runner)}`.execute(
      this.database,
    );
  }

  giveUp(tenantId: string, { kind, id }: DeliverySource, end: { at: number; error: string }): Promise<void> {
    return this.database.transaction().execute(async (transaction) => {
      const ended = await transaction
        .updateTable('deliveries')
        .set({ state: 'dead', ...changesBy({ state: 'dead', ...end }) })
        .where('tenant_id', '=', tenantId)
        .where('source_kind', '=', kind)
        .where('source_id', '=', id)
        .where('state', '=', 'waiting')
        .where('is_claimed', '=', 0)
        .returning('message_id')
        .execute();
      const messages = ended.flatMap(({ message_id: message }) => message ?? []);
      if (messages.length > 0) await removeUnneeded(transaction, messages);
    });
  }

  async load(tenantId: string, since: number): Promise<DeliveryLoad> {
    const { rows } = await sql<DeliveryLoad>`
      SELECT (SELECT count(*) FROM deliveries WHERE state = 'waiting' AND tenant_id = ${tenantId}) AS waiting,
        (SELECT coalesce(sum(bytes), 0) FROM delivery_messages WHERE tenant_id = ${tenantId}) AS bytes,
        coalesce(sum(recipients), 0) AS recipients, min(created_at) AS oldest
      FROM deliveries WHERE tenant_id = ${tenantId} AND created_at > ${since}`.execute(this.database);
    return rows[0]!;
  }

  async list(tenantId: string, { kind, id }: DeliverySource, limit: number): Promise<Delivery[]> {
    const rows = await this.database
      .selectFrom('deliveries')
      .select(SUMMARY)
      .where('tenant_id', '=', tenantId)
      .where('source_kind', '=', kind)
      .where('source_id', '=', id)
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toDelivery);
  }

  async page(tenantId: string, { state, limit, offset }: DeliveryQuery): Promise<Page<Delivery>> {
    const ofState = state === undefined ? sql<boolean>`true` : sql<boolean>`state = ${state}`;
    const asked = this.database.selectFrom('deliveries').where('tenant_id', '=', tenantId).where(ofState);
    const rows = await asked.select(SUMMARY).orderBy('id', 'desc').limit(limit).offset(offset).execute();
    const { total } = await asked.select((all) => all.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { items: rows.map(toDelivery), total };
  }

  async counts(): Promise<DeliveryCounts> {
    const { rows } = await sql<{ waiting: number; dead: number; finished: number }>`
      SELECT (SELECT count(*) FROM deliveries WHERE state = 'waiting') AS waiting,
        (SELECT count(*) FROM deliveries WHERE state = 'dead') AS dead,
        (SELECT count(*) FROM deliveries WHERE finished_at IS NOT NULL) AS finished`.execute(this.database);
    const { waiting, dead, finished } = rows[0]!;
    return { waiting, sent: finished - dead, dead };
  }

  async prune(before: number, messagesBefore = before): Promise<number> {
    await pruneMessages(this.database, messagesBefore);
    const query = this.database.deleteFrom('deliveries').where('finished_at', '<', before);
    return Number((await query.executeTakeFirst()).numDeletedRows);
  }

  async erase(tenantId: string): Promise<number> {
    await this.database.deleteFrom('delivery_messages').where('tenant_id', '=', tenantId).execute();
    const query = this.database.deleteFrom('deliveries').where('tenant_id', '=', tenantId);
    return Number((await query.executeTakeFirst()).numDeletedRows);
  }

  /** Ends the lease. */
  private change({ id, fence }: DeliveryLease, changes: Changes): Promise<boolean> {
    return this.database.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('deliveries')
        .set({ ...changes, is_claimed: 0 })
        .where('id', '=', id)
        .where('fence', '=', fence)
        .where('is_claimed', '=', 1)
        .returning(['state', 'message_id'])
        .executeTakeFirst();
      const ended = changed && changed.state !== 'waiting' ? changed.message_id : null;
      if (ended !== null) await removeUnneeded(transaction, [ended]);
      return changed !== undefined;
    });
  }
}

/** Without target and body, which may be large. */
const SUMMARY = [
  'id',
  'tenant_id',
  'source_kind',
  'source_id',
  'type',
  'title',
  'target_type',
  'place',
  'state',
  'attempts',
  'is_claimed',
  'due_at',
  'error',
  'created_at',
  'attempted_at',
  'finished_at',
] as const satisfies (keyof DeliveryRow)[];

/**
 * For stores whose change and its deliveries are one commit, within `withMessages`. Wake the
 * dispatcher after it.
 */
export async function insertDeliveries(
  transaction: StateTransaction,
  tenantId: string,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await insertMessages(transaction, tenantId, deliveries);
  const ids = messageIds(deliveries);
  for (const { body, sealedTarget, source, recipients = 1, ...rest } of deliveries) {
    await transaction
      .insertInto('deliveries')
      .values({
        ...toRow(rest),
        tenant_id: tenantId,
        source_kind: source.kind,
        source_id: source.id,
        target: sealedTarget,
        message_id: ids.get(body)!,
        recipients,
        ...{ state: 'waiting', attempts: 0, is_claimed: 0, fence: 0, due_at: rest.createdAt },
        ...{ error: null, attempted_at: null, finished_at: null },
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

function changesBy(settlement: Settlement): Changes {
  if (settlement.state === 'waiting') {
    const { error, dueAt, sealedTarget } = settlement;
    return { error, due_at: dueAt, ...(sealedTarget !== undefined && { target: sealedTarget }) };
  }
  const error = settlement.state === 'dead' ? settlement.error : null;
  return { error, target: null, finished_at: settlement.at };
}

function toClaimed(row: DeliveryRow, bodies: Map<string, string>): ClaimedDelivery {
  const { target, message_id: messageId, runner: _, fence, recipients: __, ...summary } = row;
  const body = bodies.get(messageId ?? '') ?? '';
  return { delivery: toDelivery(summary), lease: { id: row.id, fence }, sealedTarget: target ?? '', body };
}

function toDelivery(row: Pick<DeliveryRow, (typeof SUMMARY)[number]>): Delivery {
  const { source_kind: kind, source_id: id, is_claimed: isClaimed, due_at: dueAt, ...rest } = row;
  const nextAttemptAt = rest.state === 'waiting' && isClaimed === 0 ? dueAt : null;
  return { ...fromRow(rest), source: { kind, id }, nextAttemptAt };
}
