import { type RawBuilder, sql } from 'kysely';
import type {
  BudgetCheck,
  BudgetStore,
  RefusedReservation,
  Reservation,
  Spending,
  WindowSpending,
} from '../../core/quotas/store.ts';
import type { StateDatabase, StateTransaction } from './database.ts';
import { dialectOf } from './dialect.ts';
import { GroupCommit } from './group-commit.ts';
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
  private readonly commits: GroupCommit;

  constructor(database: StateDatabase) {
    this.database = database;
    this.commits = new GroupCommit(database);
  }

  async reserve(reservation: Reservation, checks: readonly BudgetCheck[]): Promise<RefusedReservation | null> {
    try {
      await this.commits.run((transaction) => reserve(transaction, reservation, checks));
      return null;
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      throw error;
    }
  }

  settle(id: string, spent: Spending): Promise<void> {
    return this.commits.run(async (transaction) => {
      const row = await transaction
        .deleteFrom('budget_reservations')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      if (!row || (spent.tokens === 0 && spent.nanos === 0)) return;
      const quarter = row.at - (row.at % QUARTER_MS);
      const places = row.key_id === WHOLE_TENANT ? [WHOLE_TENANT] : [WHOLE_TENANT, row.key_id];
      for (const keyId of places) {
        await sql`INSERT INTO budget_usage (tenant_id, key_id, quarter, tokens, nanos)
          VALUES (${row.tenant_id}, ${keyId}, ${quarter}, ${spent.tokens}, ${spent.nanos})
          ${ADDED}`.execute(transaction);
      }
    });
  }

  settleAll(): Promise<number> {
    return this.commits.run(async (transaction) => {
      await addReserved(transaction, sql`SELECT *, '' AS place FROM budget_reservations`);
      await addReserved(transaction, sql`SELECT *, key_id AS place FROM budget_reservations WHERE key_id <> ''`);
      const { numDeletedRows } = await transaction.deleteFrom('budget_reservations').executeTakeFirst();
      return Number(numDeletedRows);
    });
  }

  spending(tenantId: string, keyId: string | null, from: number, to: number): Promise<WindowSpending> {
    return spendingIn(this.database, tenantId, { keyId, from, to, except: '' });
  }

  async prune(before: number): Promise<void> {
    await this.database.deleteFrom('budget_usage').where('quarter', '<', before).execute();
  }
}

/** Writes first: a transaction that has read cannot write after another process did. */
async function reserve(
  transaction: StateTransaction,
  { id, tenantId, keyId, at, tokens, nanos }: Reservation,
  checks: readonly BudgetCheck[],
): Promise<void> {
  const amounts = { tokens, nanos };
  await dialectOf(transaction).lock(transaction, { table: 'tenants', id: tenantId });
  await transaction
    .insertInto('budget_reservations')
    .values({ id, tenant_id: tenantId, key_id: keyId ?? WHOLE_TENANT, at, ...amounts })
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

/** Without WHERE, SQLite takes ON CONFLICT for a join. */
async function addReserved(transaction: StateTransaction, reservations: RawBuilder<unknown>): Promise<void> {
  await sql`INSERT INTO budget_usage (tenant_id, key_id, quarter, tokens, nanos)
    SELECT tenant_id, place, at - at % ${sql.lit(QUARTER_MS)}, tokens, nanos FROM (${reservations}) WHERE true
    ${ADDED}`.execute(transaction);
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
