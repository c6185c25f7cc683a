import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type {
  BudgetCheck,
  BudgetStore,
  QuarterSpending,
  QuotaOwner,
  RefusedReservation,
  Reservation,
  Spending,
  WindowSpending,
} from '../../../core/limits/quotas/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from './database.ts';
import { dialectOf } from './dialect.ts';
import { runsElsewhere } from './installation.ts';
import { WHOLE_TENANT } from './quotas.ts';

const ADDED = sql`ON CONFLICT (tenant_id, key_id, quarter) DO UPDATE
  SET tokens = budget_usage.tokens + excluded.tokens, nanos = budget_usage.nanos + excluded.nanos`;

/** Midnight in every time zone is a multiple of a quarter of an hour in UTC. */
const QUARTER_MS = 900_000;

class Refused extends Error {
  readonly refusal: RefusedReservation;

  constructor(refusal: RefusedReservation) {
    super('the reservation does not fit');
    this.refusal = refusal;
  }
}

export class SqlBudgetStore implements BudgetStore {
  private readonly database: StateDatabase;
  private readonly runner: string;

  constructor(database: StateDatabase, runner: string = randomUUID()) {
    this.database = database;
    this.runner = runner;
  }

  async reserve(reservation: Reservation, checks: readonly BudgetCheck[]): Promise<RefusedReservation | null> {
    try {
      await this.database
        .transaction()
        .execute((transaction) => reserve(transaction, { ...reservation, runner: this.runner }, checks));
      return null;
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    }
  }

  settle(id: string, spent: Spending): Promise<void> {
    return this.database.transaction().execute(async (transaction) => {
      const row = await transaction
        .deleteFrom('budget_reservations')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row || (spent.tokens === 0 && spent.nanos === 0)) return;
      await addUsage(transaction, row, spent);
    });
  }

  settleAbandoned(): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      // Taken first: what a process that starts at the same time takes is counted once.
      const rows = await transaction
        .deleteFrom('budget_reservations')
        .where(sql<boolean>`(runner IS NULL OR runner <> ${this.runner})`)
        .where(sql<boolean>`NOT ${runsElsewhere('budget_reservations', this.runner)}`)
        .returningAll()
        .execute();
      // In one order, so that two of these do not wait for each other.
      rows.sort((one, other) =>
        one.tenant_id < other.tenant_id ? -1 : one.tenant_id > other.tenant_id ? 1 : one.at - other.at,
      );
      for (const row of rows) await addUsage(transaction, row, row);
      return rows.length;
    });
  }

  spending(tenantId: string, keyId: string | null, from: number, to: number): Promise<WindowSpending> {
    return spendingIn(this.database, tenantId, { keyId, from, to, except: '' });
  }

  quarters({ tenantId, keyId }: QuotaOwner, from: number, to: number): Promise<QuarterSpending[]> {
    return this.database
      .selectFrom('budget_usage')
      .select(['quarter', 'tokens', 'nanos'])
      .where('tenant_id', '=', tenantId)
      .where('key_id', '=', keyId ?? WHOLE_TENANT)
      .where('quarter', '>=', from)
      .where('quarter', '<', to)
      .orderBy('quarter')
      .execute();
  }

  async prune(before: number): Promise<void> {
    await this.database.deleteFrom('budget_usage').where('quarter', '<', before).execute();
  }
}

/** Writes first: a transaction that has read cannot write after another process did. */
async function reserve(
  transaction: StateTransaction,
  { id, tenantId, keyId, at, tokens, nanos, runner }: Reservation & { runner: string },
  checks: readonly BudgetCheck[],
): Promise<void> {
  const amounts = { tokens, nanos };
  await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
  await transaction
    .insertInto('budget_reservations')
    .values({ id, tenant_id: tenantId, key_id: keyId ?? WHOLE_TENANT, at, runner, ...amounts })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(amounts))
    .execute();
  const windows = new Map<string, WindowSpending>();
  for (const [check, { unit, limit, keyId: ofKey, from, to }] of checks.entries()) {
    const window = `${ofKey ?? ''} ${from} ${to}`;
    const taken =
      windows.get(window) ?? (await spendingIn(transaction, tenantId, { keyId: ofKey, from, to, except: id }));
    windows.set(window, taken);
    if (taken.used[unit] + taken.reserved[unit] + amounts[unit] > limit) throw new Refused({ check, taken });
  }
}

async function addUsage(
  transaction: StateTransaction,
  { tenant_id: tenantId, key_id: ofKey, at }: StateTables['budget_reservations'],
  { tokens, nanos }: Spending,
): Promise<void> {
  const quarter = at - (at % QUARTER_MS);
  for (const keyId of new Set([WHOLE_TENANT, ofKey])) {
    await sql`INSERT INTO budget_usage (tenant_id, key_id, quarter, tokens, nanos)
      VALUES (${tenantId}, ${keyId}, ${quarter}, ${tokens}, ${nanos})
      ${ADDED}`.execute(transaction);
  }
}

async function spendingIn(
  database: StateDatabase | StateTransaction,
  tenantId: string,
  { keyId, from, to, except }: { keyId: string | null; from: number; to: number; except: string },
): Promise<WindowSpending> {
  const ofKey = keyId === null ? sql`` : sql`AND key_id = ${keyId}`;
  const { rows } = await sql<{ tokens: number; nanos: number }>`
    SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(nanos), 0) AS nanos FROM budget_usage
      WHERE tenant_id = ${tenantId} AND key_id = ${keyId ?? WHOLE_TENANT} AND quarter >= ${from} AND quarter < ${to}
    UNION ALL
    SELECT coalesce(sum(tokens), 0), coalesce(sum(nanos), 0) FROM budget_reservations
      WHERE tenant_id = ${tenantId} AND at >= ${from} AND at < ${to} AND id <> ${except} ${ofKey}`.execute(database);
  const [used, reserved] = rows;
  return { used: used!, reserved: reserved! };
}
