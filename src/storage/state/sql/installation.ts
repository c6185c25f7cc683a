import { type RawBuilder, sql } from 'kysely';
import type { InstallationStore } from '../../../core/access/auth/store.ts';
import type { RunnerStore } from '../../../core/base/concurrency/runners.ts';
import type { StateDatabase } from './database.ts';
import { dialectOf } from './dialect.ts';

export class SqlRunnerStore implements RunnerStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async renew(id: string, ms: number | null): Promise<void> {
    const until = ms === null ? sql<number>`${Number.MAX_SAFE_INTEGER}` : sql<number>`${this.now()} + ${ms}`;
    await this.list(this.database, id, until);
  }

  async takeOver(id: string): Promise<void> {
    await this.database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('runners').where('id', '!=', id).execute();
      await this.list(transaction, id, sql<number>`${Number.MAX_SAFE_INTEGER}`);
    });
  }

  async removeEnded(): Promise<void> {
    await this.database.deleteFrom('runners').where('alive_until', '<', this.now()).execute();
  }

  async remove(id: string): Promise<void> {
    await this.database.deleteFrom('runners').where('id', '=', id).execute();
  }

  private async list(database: StateDatabase, id: string, until: RawBuilder<number>): Promise<void> {
    await database
      .insertInto('runners')
      .values({ id, alive_until: until })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ alive_until: until }))
      .execute();
  }

  private now(): RawBuilder<number> {
    return dialectOf(this.database).now;
  }
}

/** Whether another process, which is alive, runs a row with a `runner`. */
export function runsElsewhere(table: 'executions' | 'budget_reservations' | 'deliveries', runner: string) {
  const named = sql.ref(`${table}.runner`);
  return sql<boolean>`(${named} IS NOT NULL AND ${named} <> ${runner}
    AND EXISTS (SELECT 1 FROM runners WHERE runners.id = ${named}))`;
}

/** Facts of the installation. */
export class SqlInstallationStore implements InstallationStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async claim(fact: string, at: number): Promise<boolean> {
    const result = await this.database
      .insertInto('installation')
      .values({ fact, at })
      .onConflict((conflict) => conflict.column('fact').doNothing())
      .executeTakeFirst();
    return result.numInsertedOrUpdatedRows === 1n;
  }

  async forget(fact: string): Promise<void> {
    await this.database.deleteFrom('installation').where('fact', 'like', `${fact} %`).execute();
  }

  async release(fact: string): Promise<boolean> {
    const alive = this.database
      .selectFrom('runners')
      .select('id')
      .where('alive_until', '>=', dialectOf(this.database).now);
    const claims = this.database.deleteFrom('installation').where('fact', 'like', `${fact} %`);
    const { numDeletedRows } = await claims.where(({ not, exists }) => not(exists(alive))).executeTakeFirst();
    return numDeletedRows > 0n;
  }

  async has(fact: string): Promise<boolean> {
    const row = await this.database
      .selectFrom('installation')
      .select('fact')
      .where('fact', '=', fact)
      .executeTakeFirst();
    return row !== undefined;
  }
}
