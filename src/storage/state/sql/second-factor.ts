import { sql } from 'kysely';
import type {
  Added,
  AddOptions,
  RemovedFactors,
  SecondFactorStore,
  StoredFactors,
  StoredPasskey,
  StoredTotp,
} from '../../../core/access/second-factor/store.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from './database.ts';
import { dialectOf } from './dialect.ts';
import { fromRow, toRow } from './rows.ts';
import { violationAsResult } from './violations.ts';

type Kind = 'totp_factors' | 'passkeys';

/**
 * A transaction begins with a lock of the user and a write, which holds SQLite's lock: what it
 * reads is then true until it is committed, whatever other processes do.
 */
export class SqlSecondFactorStore implements SecondFactorStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async find(userId: string): Promise<StoredFactors> {
    const { database } = this;
    const totp = await database.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst();
    const ofUser = database.selectFrom('passkeys').selectAll().where('user_id', '=', userId);
    const passkeys = await ofUser.orderBy('created_at').orderBy('id').execute();
    const { left } = await database
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
    return { totp: totp ? fromRow(totp) : null, passkeys: passkeys.map(toPasskey), recoveryCodes: left };
  }

  async has(userId: string): Promise<boolean> {
    return factorsOf(this.database, userId);
  }

  addTotp(totp: StoredTotp, options: AddOptions): Promise<Added> {
    const row = toRow(totp);
    return this.add(totp, options, async (transaction) => {
      await transaction
        .insertInto('totp_factors')
        .values(row)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
        .execute();
    });
  }

  addPasskey(passkey: StoredPasskey, options: AddOptions): Promise<Added> {
    return this.add(passkey, options, async (transaction) => {
      await transaction
        .insertInto('passkeys')
        .values({ ...toRow(passkey), transports: JSON.stringify(passkey.transports) })
        .execute();
    });
  }

  async findPasskey(credentialId: string): Promise<StoredPasskey | null> {
    const found = this.database.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId);
    const row = await found.executeTakeFirst();
    return row ? toPasskey(row) : null;
  }

  async useTotp({ userId, createdAt }: StoredTotp, step: number, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('totp_factors')
      .set({ last_step: step, last_used_at: at })
      .where('user_id', '=', userId)
      .where('created_at', '=', createdAt)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async usePasskey(seen: StoredPasskey, counter: number, at: number): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('passkeys')
      .set({ counter, last_used_at: at })
      .where('id', '=', seen.id)
      .where('counter', '=', seen.counter)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async useRecoveryCode(userId: string, hash: string): Promise<boolean> {
    const removed = this.database.deleteFrom('recovery_codes').where('user_id', '=', userId).where('hash', '=', hash);
    return (await removed.executeTakeFirst()).numDeletedRows === 1n;
  }

  async replaceRecoveryCodes(tenantId: string, userId: string, hashes: string[]): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await lockUser(transaction, userId);
      await replaceCodes(transaction, { tenantId, userId }, hashes);
    });
  }

  async renamePasskey(userId: string, id: string, name: string): Promise<StoredPasskey | null> {
    const renamed = this.database.updateTable('passkeys').set({ name }).where('user_id', '=', userId);
    const row = await renamed.where('id', '=', id).returningAll().executeTakeFirst();
    return row ? toPasskey(row) : null;
  }

  removeTotp(userId: string, { keepsOne }: { keepsOne: boolean }): Promise<RemovedFactors> {
    return this.removeOne(userId, keepsOne, async (transaction) => {
      const removed = transaction.deleteFrom('totp_factors').where('user_id', '=', userId);
      return (await removed.executeTakeFirst()).numDeletedRows;
    });
  }

  removePasskey(userId: string, id: string, { keepsOne }: { keepsOne: boolean }): Promise<RemovedFactors> {
    return this.removeOne(userId, keepsOne, async (transaction) => {
      const removed = transaction.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id);
      return (await removed.executeTakeFirst()).numDeletedRows;
    });
  }

  async removeAll(userId: string): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      const remove = async (table: Kind | 'recovery_codes') =>
        Number((await transaction.deleteFrom(table).where('user_id', '=', userId).executeTakeFirst()).numDeletedRows);
      await remove('recovery_codes');
      return (await remove('totp_factors')) + (await remove('passkeys'));
    });
  }

  private async add(
    owner: { tenantId: string; userId: string },
    { recoveryCodes, onlyFirst }: AddOptions,
    insert: (transaction: StateTransaction) => Promise<void>,
  ): Promise<Added> {
    const added = this.database.transaction().execute(async (transaction): Promise<Added> => {
      await lockUser(transaction, owner.userId);
      await dropCodesWithoutFactor(transaction, owner.userId);
      const isFurther = await factorsOf(transaction, owner.userId);
      if (isFurther && onlyFirst) return 'not first';
      await insert(transaction);
      if (!isFurther) await replaceCodes(transaction, owner, recoveryCodes);
      return isFurther ? 'further' : 'first';
    });
    return violationAsResult(added, {
      unique: 'duplicate',
      'foreign key': 'unknown user',
    });
  }

  private async removeOne(
    userId: string,
    keepsOne: boolean,
    remove: (transaction: StateTransaction) => Promise<bigint>,
  ): Promise<RemovedFactors> {
    const removing = this.database.transaction().execute(async (transaction): Promise<RemovedFactors> => {
      await lockUser(transaction, userId);
      if ((await remove(transaction)) === 0n) return 'unknown';
      if (keepsOne && !(await factorsOf(transaction, userId))) throw new LastFactor();
      await dropCodesWithoutFactor(transaction, userId);
      return 'removed';
    });
    return removing.catch((error: unknown) => {
      if (error instanceof LastFactor) return 'last';
      throw error;
    });
  }
}

/** Rolls the removal back. */
class LastFactor extends Error {}

async function factorsOf(database: StateDatabase | StateTransaction, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: number }>`
    SELECT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId})
      OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId}) AS has`.execute(database);
  return rows[0]!.has === 1;
}

function lockUser(transaction: StateTransaction, id: string): Promise<void> {
  return dialectOf(transaction).lock(transaction, { table: 'users', id });
}

async function dropCodesWithoutFactor(transaction: StateTransaction, userId: string): Promise<void> {
  await sql`DELETE FROM recovery_codes WHERE user_id = ${userId}
    AND NOT EXISTS (SELECT 1 FROM totp_factors WHERE user_id = ${userId})
    AND NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId})`.execute(transaction);
}

async function replaceCodes(
  transaction: StateTransaction,
  { tenantId, userId }: { tenantId: string; userId: string },
  hashes: string[],
): Promise<void> {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const rows = hashes.map((hash) => ({ tenant_id: tenantId, user_id: userId, hash }));
  await transaction.insertInto('recovery_codes').values(rows).execute();
}

function toPasskey(row: StateTables['passkeys']): StoredPasskey {
  return { ...fromRow(row), transports: JSON.parse(row.transports) as string[] };
}
