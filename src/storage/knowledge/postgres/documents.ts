import type { Lease, ReadChunks, StoredDocument, VectorStore } from '../../../core/knowledge/store.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import {
  type DocumentRow,
  type JobRow,
  type StoredChunkRow,
  toChunk,
  toDocument,
} from '../../state/sql/knowledge-rows.ts';
import { endJobs, leasedJob, lockTenant, OPEN } from './jobs.ts';

/** Searchable documents. */
export const FOUND = 'completed_at IS NOT NULL AND removed_at IS NULL';
const STORES = `SELECT name, embedder, dimensions, created_at AS "createdAt", found.documents, found.chunks
  FROM knowledge_stores stores CROSS JOIN LATERAL (
    SELECT count(*) AS documents, coalesce(sum(chunks), 0) AS chunks FROM knowledge_documents documents
    WHERE documents.store = stores.id AND ${FOUND}) found
  WHERE tenant_id = $1 AND dropped_at IS NULL`;
const STORE_ID = 'SELECT id FROM knowledge_stores WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL';

/** Jobs are locked before documents, so that nobody waits in a circle. */
export class Documents {
  private readonly pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.pool = pool;
  }

  async listStores(tenantId: string): Promise<VectorStore[]> {
    return (await this.pool.query<VectorStore>(`${STORES} ORDER BY name`, [tenantId])).rows;
  }

  async findStore(tenantId: string, name: string): Promise<VectorStore | null> {
    return (await this.pool.query<VectorStore>(`${STORES} AND name = $2`, [tenantId, name])).rows[0] ?? null;
  }

  dropStore(tenantId: string, name: string, now: number): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      await lockTenant(client, tenantId);
      const { rows } = await client.query<{ id: number }>(STORE_ID, [tenantId, name]);
      if (!rows[0]) return false;
      const { id } = rows[0];
      const { rows: jobs } = await client.query<{ job_id: string }>(
        `SELECT job_id FROM knowledge_jobs WHERE store = $1 AND tenant_id = $2 AND ${OPEN} ORDER BY number FOR UPDATE`,
        [id, tenantId],
      );
      await client.query('UPDATE knowledge_stores SET dropped_at = $2 WHERE id = $1', [id, now]);
      await client.query('UPDATE knowledge_documents SET removed_at = $2 WHERE store = $1 AND removed_at IS NULL', [
        id,
        now,
      ]);
      const ids = jobs.map(({ job_id }) => job_id);
      await endJobs(client, ids, { status: 'failed', error: 'The vector store was deleted.' }, now);
      return true;
    });
  }

  async list(
    tenantId: string,
    { vectorStore, limit, offset }: { vectorStore: string; limit: number; offset: number },
  ): Promise<{ items: StoredDocument[]; total: number }> {
    const { rows: counts } = await this.pool.query<{ total: number }>(
      `SELECT count(*) AS total FROM knowledge_documents WHERE store = (${STORE_ID}) AND ${FOUND}`,
      [tenantId, vectorStore],
    );
    const { rows } = await this.pool.query<DocumentRow>(
      `SELECT * FROM knowledge_documents WHERE store = (${STORE_ID}) AND ${FOUND} ORDER BY id DESC LIMIT $3 OFFSET $4`,
      [tenantId, vectorStore, limit, offset],
    );
    return { items: rows.map(toDocument), total: counts[0]!.total };
  }

  async find(documentId: string): Promise<{ tenantId: string; vectorStore: string } | null> {
    const { rows } = await this.pool.query<{ tenantId: string; vectorStore: string }>(
      `SELECT stores.tenant_id AS "tenantId", stores.name AS "vectorStore" FROM knowledge_documents documents
        JOIN knowledge_stores stores ON stores.id = documents.store AND stores.dropped_at IS NULL
        WHERE document_id = $1 AND ${FOUND}`,
      [documentId],
    );
    return rows[0] ?? null;
  }

  async readChunks(tenantId: string, documentId: string, from: number, limit: number): Promise<ReadChunks> {
    const { rows: documents } = await this.pool.query<{ id: number; dimensions: number | null }>(
      `SELECT documents.id, dimensions FROM knowledge_documents documents
        JOIN knowledge_stores stores ON stores.id = documents.store AND stores.dropped_at IS NULL
        WHERE document_id = $1 AND tenant_id = $2 AND ${FOUND}`,
      [documentId, tenantId],
    );
    if (!documents[0]) return { chunks: [], embedded: null };
    const { id, dimensions } = documents[0];
    const vector =
      dimensions === null ? 'NULL' : '(SELECT embedding::text FROM knowledge_vectors WHERE chunk = chunks.id)';
    const { rows } = await this.pool.query<StoredChunkRow & { vector: string | null }>(
      `SELECT chunks.*, ${vector} AS vector FROM knowledge_chunks chunks
        WHERE document = $1 AND seq >= $2 ORDER BY seq LIMIT $3`,
      [id, from, limit],
    );
    const chunks = rows.map(toChunk);
    if (dimensions === null) return { chunks, embedded: null };
    const vectors = Float32Array.from(rows.flatMap((row) => JSON.parse(row.vector ?? '[]') as number[]));
    return { chunks, embedded: { vectors, dimensions } };
  }

  async delete(tenantId: string, vectorStore: string, documentId: string, now: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE knowledge_documents SET removed_at = $4 WHERE document_id = $3 AND store = (${STORE_ID}) AND ${FOUND}`,
      [tenantId, vectorStore, documentId, now],
    );
    return rowCount === 1;
  }

  complete(lease: Lease, now: number): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const job = await leasedJob(client, lease);
      if (!job) return false;
      if (job.source_id !== null) {
        await client.query(
          `UPDATE knowledge_documents SET removed_at = $3 WHERE store = $1 AND source_id = $2 AND ${FOUND}`,
          [job.store, job.source_id, now],
        );
      }
      await client.query('UPDATE knowledge_documents SET completed_at = $2 WHERE document_id = $1', [
        job.document_id,
        now,
      ]);
      await client.query('UPDATE knowledge_jobs SET progress = 1, total_chunks = processed_chunks WHERE job_id = $1', [
        job.job_id,
      ]);
      await endJobs(client, [job.job_id], { status: 'completed' }, now);
      return true;
    });
  }

  fail(lease: Lease, error: string, now: number): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const job = await leasedJob(client, lease);
      if (job) await endAsFailed(client, job, error, now);
      return job !== null;
    });
  }

  cancel(tenantId: string, jobId: string, error: string, now: number): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const { rows } = await client.query<JobRow>(
        `SELECT * FROM knowledge_jobs WHERE tenant_id = $1 AND job_id = $2 AND ${OPEN} FOR UPDATE`,
        [tenantId, jobId],
      );
      if (rows[0]) await endAsFailed(client, rows[0], error, now);
      return rows[0] !== undefined;
    });
  }

  restart(lease: Lease): Promise<boolean> {
    return this.pool.transaction(async (client) => {
      const job = await leasedJob(client, lease);
      if (!job) return false;
      // The chunks stay with a document under another id, to be removed like any other.
      const { rows } = await client.query<{ id: number }>(
        `UPDATE knowledge_documents SET document_id = document_id || '/' || id, removed_at = 0
          WHERE document_id = $1 RETURNING id`,
        [job.document_id],
      );
      await client.query(
        `INSERT INTO knowledge_documents (document_id, store, name, format, size, source_id, metadata, tested, content, repeated, created_at)
          SELECT $1, store, name, format, size, source_id, metadata, tested, content, 1, created_at
          FROM knowledge_documents WHERE id = $2`,
        [job.document_id, rows[0]!.id],
      );
      await client.query('DELETE FROM knowledge_units WHERE job_id = $1', [job.job_id]);
      await client.query(
        `UPDATE knowledge_jobs SET processed_chunks = 0, total_chunks = 0, progress = 0, checkpoint = NULL, notes = NULL
          WHERE job_id = $1`,
        [job.job_id],
      );
      return true;
    });
  }

  erase(tenantId: string, now: number): Promise<{ documents: number; uploads: string[] }> {
    return this.pool.transaction(async (client) => {
      await lockTenant(client, tenantId);
      const { rows: jobs } = await client.query<{ job_id: string; upload_id: string; settled: number }>(
        'SELECT job_id, upload_id, settled FROM knowledge_jobs WHERE tenant_id = $1 ORDER BY number FOR UPDATE',
        [tenantId],
      );
      await client.query('UPDATE knowledge_stores SET dropped_at = coalesce(dropped_at, $2) WHERE tenant_id = $1', [
        tenantId,
        now,
      ]);
      const { rowCount: documents } = await client.query(
        `UPDATE knowledge_documents SET removed_at = $2
          WHERE store IN (SELECT id FROM knowledge_stores WHERE tenant_id = $1) AND removed_at IS NULL`,
        [tenantId, now],
      );
      const ids = jobs.map(({ job_id }) => job_id);
      await client.query('DELETE FROM knowledge_units WHERE job_id = ANY ($1::text[])', [ids]);
      await client.query('DELETE FROM knowledge_jobs WHERE tenant_id = $1', [tenantId]);
      await client.query('DELETE FROM knowledge_tenants WHERE tenant_id = $1', [tenantId]);
      return { documents, uploads: jobs.filter(({ settled }) => settled === 0).map(({ upload_id }) => upload_id) };
    });
  }
}

async function endAsFailed(client: PostgresClient, job: JobRow, error: string, now: number): Promise<void> {
  await client.query('UPDATE knowledge_documents SET removed_at = $2 WHERE document_id = $1', [job.document_id, now]);
  await endJobs(client, [job.job_id], { status: 'failed', error }, now);
}
