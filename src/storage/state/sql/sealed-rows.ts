import { sql } from 'kysely';
import type { SealedRow, SealedRowStore } from '../../../core/base/sealing/rotation.ts';
import { SEALED_TABLES, TABLES } from '../tables.ts';
import type { StateDatabase } from './database.ts';

export class SqlSealedRows implements SealedRowStore {
  private readonly database: StateDatabase;

  constructor(database: StateDatabase) {
    this.database = database;
  }

  async list(): Promise<SealedRow[]> {
    const found: SealedRow[] = [];
    for (const { table, kind, column, name, hasSecret, reseal } of SEALED_TABLES) {
      const key = sql.join(TABLES[table].key.map((one) => sql.ref(one)));
      const { rows } = await sql<Record<string, string>>`
        SELECT * FROM ${sql.table(table)} WHERE ${sql.raw(hasSecret)} ORDER BY ${key}`.execute(this.database);
      for (const row of rows) {
        const of = { kind, tenantId: row.tenant_id ?? null, name: row[name]!, stored: row[column]! };
        found.push({ ...of, reseal: (change) => reseal(row, change) });
      }
    }
    return found;
  }

  async replace(changes: { row: SealedRow; stored: string }[]): Promise<number> {
    return this.database.transaction().execute(async (transaction) => {
      let replaced = 0n;
      for (const { row, stored } of changes) {
        const { table, column, name, isRevised } = SEALED_TABLES.find(({ kind }) => kind === row.kind)!;
        const { numAffectedRows = 0n } = await sql`
          UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${stored}${isRevised ? sql`, revision = revision + 1` : sql``}
          WHERE tenant_id IS NOT DISTINCT FROM ${row.tenantId} AND ${sql.ref(name)} = ${row.name}
            AND ${sql.ref(column)} = ${row.stored}`.execute(transaction);
        replaced += numAffectedRows;
      }
      return Number(replaced);
    });
  }
}
