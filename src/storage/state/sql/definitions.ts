import { sql } from 'kysely';
import type { DefinitionStore } from '../../../core/limits/quotas/definition-budget.ts';
import type { StateDatabase } from './database.ts';

const COLUMNS = [
  ['segments', 'definition'],
  ['metrics', 'definition'],
  ['rubrics', 'definition'],
  ['terms', 'definition'],
  ['alerts', 'definition'],
  ['dashboard_cards', 'config'],
] as const;

export class SqlDefinitionStore implements DefinitionStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async bytes(tenantId: string): Promise<number> {
    const sums = COLUMNS.map(
      ([table, column]) =>
        sql`(SELECT coalesce(sum(octet_length(${sql.ref(column)})), 0) FROM ${sql.table(table)} WHERE tenant_id = ${tenantId})`,
    );
    const { rows } = await sql<{ bytes: number }>`SELECT ${sql.join(sums, sql` + `)} AS bytes`.execute(this.database);
    return Number(rows[0]!.bytes);
  }
}
