import { type RawBuilder, sql } from 'kysely';
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

/** Of a row with a `runner`: another process runs it, and is alive. */
export function runsElsewhere(table: 'executions' | 'budget_reservations' | 'deliveries', runner: string) {
  const named = sql.ref(`${table}.runner`);
  return sql<boolean>`(${named} IS NOT NULL AND ${named} <> ${runner}
    AND EXISTS (SELECT 1 FROM runners WHERE runners.id = ${named}))`;
}
