import type { FirstHourFact, FirstHourName, FirstHourStore } from '../../../core/analytics/first-hour/store.ts';
import type { StateDatabase } from './database.ts';
import { violationAsResult } from './violations.ts';

export class SqlFirstHourStore implements FirstHourStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async facts(tenantId: string, names: readonly FirstHourName[]): Promise<FirstHourFact[]> {
    const rows = await this.database
      .selectFrom('first_hours')
      .select(['name', 'at', 'details'])
      .where('tenant_id', '=', tenantId)
      .where('name', 'in', names)
      .execute();
    return rows.map(({ details, ...row }) => ({ ...row, details: details === null ? null : JSON.parse(details) }));
  }

  async note(tenantId: string, { details, ...fact }: FirstHourFact): Promise<boolean> {
    const noted = this.database
      .insertInto('first_hours')
      .values({ tenant_id: tenantId, ...fact, details: textOf(details) })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'name']).doNothing())
      .executeTakeFirst()
      .then(({ numInsertedOrUpdatedRows: rows }) => (rows ?? 0n) > 0n);
    return (await violationAsResult(noted, { 'foreign key': 'unknown tenant' } as const)) === true;
  }

  async change(tenantId: string, { name, at, details }: FirstHourFact): Promise<void> {
    await this.database
      .updateTable('first_hours')
      .set({ details: textOf(details) })
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .where('at', '=', at)
      .execute();
  }

  async forget(tenantId: string, name: FirstHourName, at?: number): Promise<void> {
    await this.database
      .deleteFrom('first_hours')
      .where('tenant_id', '=', tenantId)
      .where('name', '=', name)
      .$if(at !== undefined, (rows) => rows.where('at', '=', at!))
      .execute();
  }
}

function textOf(details: FirstHourFact['details']): string | null {
  return details === null ? null : JSON.stringify(details);
}
