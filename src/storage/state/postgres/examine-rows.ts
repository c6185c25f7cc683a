import type { StateTables } from '../schema/types.ts';
import { EXAMINING, type ExaminedRows, examinedRows, type ReadRows } from '../sql/examined.ts';
import { PostgresPool } from './pool.ts';

export type SealingKeyRow = StateTables['sealing_keys'];

/** Of a database with all tables. */
export async function examinePostgresRows(url: string): Promise<ExaminedRows & { sealingKeys: SealingKeyRow[] }> {
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    const rows: Record<string, object[]> = {};
    for (const [name, [, statement]] of Object.entries(EXAMINING)) rows[name] = (await pool.query(statement)).rows;
    const { rows: sealingKeys } = await pool.query<SealingKeyRow>('SELECT * FROM sealing_keys ORDER BY created_at, id');
    return { ...examinedRows(rows as ReadRows), sealingKeys };
  } finally {
    await pool.end();
  }
}
