import { PostgresPool } from '../../state/postgres/pool.ts';
import { EXACT_VECTORS, type MeasuredRecall, type VectorSearch } from '../rows/recall.ts';
import { MEASURED } from './vectors.ts';

/** Stores that have more vectors than are searched exactly. Reading them changes nothing. */
export async function examinePostgresVectors(url: string, exactVectors = EXACT_VECTORS): Promise<VectorSearch[]> {
  const pool = await PostgresPool.open({ url, connections: 1 });
  try {
    const { rows } = await pool.query<{ tenant: string; store: string; vectors: number; measured: string | null }>(
      `SELECT tenant_id AS tenant, name AS store, vectors, ${MEASURED} AS measured
        FROM knowledge_stores stores JOIN LATERAL
          (SELECT sum(chunks) AS vectors FROM knowledge_documents WHERE store = stores.id) counts ON true
        WHERE dropped_at IS NULL AND dimensions IS NOT NULL AND vectors > $1 ORDER BY tenant_id, name`,
      [exactVectors],
    );
    return rows.map(({ measured, ...row }) => {
      const { candidates = null, recall = null } = JSON.parse(measured ?? '{}') as Partial<MeasuredRecall>;
      return { ...row, search: candidates === null ? 'exact' : 'hnsw', bits: null, candidates, recall };
    });
  } finally {
    await pool.end();
  }
}
