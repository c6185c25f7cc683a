import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';

const CHUNKS_PER_STEP = 500;
const UNITS_PER_STEP = 5_000;
const JOBS_KEPT = "interval '90 days'";

interface RemovedDocument {
  id: number;
  store: number;
  dimensions: number | null;
}

/** Removes invisible data in small transactions. Nodes pass by what another one is removing. */
export class Removal {
  private readonly pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.pool = pool;
  }

  /** False: nothing is left that nobody else removes. */
  async step(): Promise<boolean> {
    return (
      (await this.removeDocument()) ||
      (await this.dropStore()) ||
      (await this.forgetUnits()) ||
      (await this.forgetJobs())
    );
  }

  /** Also what another node is removing. */
  async isPending(): Promise<boolean> {
    const { rows } = await this.pool.query(
      `SELECT 1 AS found WHERE EXISTS (SELECT 1 FROM knowledge_documents WHERE removed_at IS NOT NULL)
        OR EXISTS (SELECT 1 FROM knowledge_stores WHERE dropped_at IS NOT NULL)`,
    );
    return rows.length > 0;
  }

  private removeDocument(): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const { rows } = await client.query<RemovedDocument>(
        `SELECT documents.id, store, dimensions FROM knowledge_documents documents
          JOIN knowledge_stores stores ON stores.id = documents.store
          WHERE removed_at IS NOT NULL LIMIT 1 FOR UPDATE OF documents SKIP LOCKED`,
      );
      if (!rows[0]) return false;
      await removeChunks(client, rows[0]);
      return true;
    });
  }

  /** Only an empty one. Its index is dropped later: that waits while another one is made. */
  private async dropStore(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM knowledge_stores WHERE id = (SELECT id FROM knowledge_stores WHERE dropped_at IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM knowledge_documents WHERE store = knowledge_stores.id) LIMIT 1)`,
    );
    return rowCount > 0;
  }

  private forgetUnits(): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const { rows } = await client.query<{ job_id: string }>(
        `SELECT job_id FROM knowledge_jobs WHERE has_units = 1 AND status IN ('completed', 'failed') LIMIT 1
          FOR UPDATE SKIP LOCKED`,
      );
      if (!rows[0]) return false;
      const { job_id } = rows[0];
      const { rowCount } = await client.query(
        `DELETE FROM knowledge_units WHERE job_id = $1 AND digest IN
          (SELECT digest FROM knowledge_units WHERE job_id = $1 LIMIT ${UNITS_PER_STEP})`,
        [job_id],
      );
      if (rowCount < UNITS_PER_STEP) {
        await client.query('UPDATE knowledge_jobs SET has_units = 0 WHERE job_id = $1', [job_id]);
      }
      return true;
    });
  }

  private async forgetJobs(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM knowledge_jobs WHERE number IN (SELECT number FROM knowledge_jobs WHERE settled = 1
        AND completed_at < extract(epoch FROM clock_timestamp() - ${JOBS_KEPT}) * 1000 LIMIT 100 FOR UPDATE SKIP LOCKED)`,
    );
    return rowCount > 0;
  }
}

/** A portion of a locked document, or the last one with the document. */
async function removeChunks(client: PostgresClient, { id, dimensions }: RemovedDocument): Promise<void> {
  const { rows } = await client.query<{ id: number; words: number }>(
    `SELECT id, coalesce((SELECT max(of_words) FROM knowledge_postings WHERE chunk = chunks.id), 0) AS words
      FROM knowledge_chunks chunks WHERE document = $1 ORDER BY seq LIMIT ${CHUNKS_PER_STEP}`,
    [id],
  );
  const chunks = rows.map((chunk) => chunk.id);
  await client.query('DELETE FROM knowledge_postings WHERE chunk = ANY ($1::bigint[])', [chunks]);
  if (dimensions !== null)
    await client.query('DELETE FROM knowledge_vectors WHERE chunk = ANY ($1::bigint[])', [chunks]);
  await client.query('DELETE FROM knowledge_chunks WHERE id = ANY ($1::bigint[])', [chunks]);
  if (chunks.length < CHUNKS_PER_STEP) await client.query('DELETE FROM knowledge_documents WHERE id = $1', [id]);
  else {
    const words = rows.reduce((sum, chunk) => sum + chunk.words, 0);
    await client.query('UPDATE knowledge_documents SET chunks = chunks - $2, words = words - $3 WHERE id = $1', [
      ...[id, chunks.length, words],
    ]);
  }
}
