import type { KnowledgeStore, VectorStore } from '../../../core/knowledge/store.ts';
import { FOUND, OPEN, type RowsEngine } from './engine.ts';
import { endJobs } from './leases.ts';
import { type DocumentRow, type JobRow, type StoredChunkRow, toChunk, toDocument } from './records.ts';

const OF_STORE = `FROM knowledge_documents documents WHERE documents.store = stores.id AND ${FOUND}`;
const STORES = `SELECT name, embedder, dimensions, created_at AS "createdAt",
    (SELECT count(*) ${OF_STORE}) AS documents, (SELECT coalesce(sum(chunks), 0) ${OF_STORE}) AS chunks
  FROM knowledge_stores stores WHERE tenant_id = $1 AND dropped_at IS NULL`;
const STORE_ID = 'SELECT id FROM knowledge_stores WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL';
const FROM_DOCUMENT = `FROM knowledge_documents documents
  JOIN knowledge_stores stores ON stores.id = documents.store AND stores.dropped_at IS NULL
  WHERE document_id = $1 AND ${FOUND}`;

type DocumentMethods = Pick<
  KnowledgeStore,
  | 'listStores'
  | 'findStore'
  | 'dropStore'
  | 'listDocuments'
  | 'findDocument'
  | 'readChunks'
  | 'deleteDocument'
  | 'erase'
>;

/** Jobs are locked before documents, which prevents deadlocks. */
export function documentMethods(engine: RowsEngine): DocumentMethods {
  const { database, sql } = engine;
  return {
    listStores: async (tenantId) => (await database.query<VectorStore>(`${STORES} ORDER BY name`, [tenantId])).rows,
    findStore: async (tenantId, name) =>
      (await database.query<VectorStore>(`${STORES} AND name = $2`, [tenantId, name])).rows[0] ?? null,
    dropStore: (tenantId, name, now) =>
      database.transaction(async (client) => {
        await engine.lockTenant?.(client, tenantId);
        const { rows: stores } = await client.query<{ id: number }>(STORE_ID, [tenantId, name]);
        if (!stores[0]) return false;
        const { id } = stores[0];
        const { rows } = await client.query<JobRow>(
          `SELECT job_id FROM knowledge_jobs WHERE store = $1 AND tenant_id = $2 AND ${OPEN}
            ORDER BY ${sql.number} ${sql.forUpdate}`,
          [id, tenantId],
        );
        await client.query('UPDATE knowledge_stores SET dropped_at = $2 WHERE id = $1', [id, now]);
        await client.query('UPDATE knowledge_documents SET removed_at = $2 WHERE store = $1 AND removed_at IS NULL', [
          ...[id, now],
        ]);
        const jobs = rows.map(({ job_id }) => job_id);
        await endJobs(engine, client, jobs, { status: 'failed', error: 'The vector store was deleted.', now });
        return true;
      }),
    listDocuments: async (tenantId, { vectorStore, limit, offset }) => {
      const found = `FROM knowledge_documents WHERE store = (${STORE_ID}) AND ${FOUND}`;
      const { rows: counts } = await database.query<{ total: number }>(`SELECT count(*) AS total ${found}`, [
        ...[tenantId, vectorStore],
      ]);
      const { rows } = await database.query<DocumentRow>(`SELECT * ${found} ORDER BY id DESC LIMIT $3 OFFSET $4`, [
        ...[tenantId, vectorStore, limit, offset],
      ]);
      return { items: rows.map(toDocument), total: counts[0]!.total };
    },
    findDocument: async (documentId) => {
      const { rows } = await database.query<{ tenantId: string; vectorStore: string }>(
        `SELECT stores.tenant_id AS "tenantId", stores.name AS "vectorStore" ${FROM_DOCUMENT}`,
        [documentId],
      );
      return rows[0] ?? null;
    },
    readChunks: async (tenantId, documentId, from, limit) => {
      const { rows: documents } = await database.query<{ id: number; store: number; dimensions: number | null }>(
        `SELECT documents.id, store, dimensions ${FROM_DOCUMENT} AND tenant_id = $2`,
        [documentId, tenantId],
      );
      if (!documents[0]) return { chunks: [], embedded: null };
      const { id, store, dimensions } = documents[0];
      const { rows } = await database.query<StoredChunkRow>(
        `SELECT id, seq, text, headings, page, "row", line, metadata FROM knowledge_chunks
          WHERE document = $1 AND seq >= $2 ORDER BY seq LIMIT $3`,
        [id, from, limit],
      );
      const embedded = dimensions === null ? null : await engine.vectorsOf(store, rows, dimensions);
      return { chunks: rows.map(toChunk), embedded };
    },
    deleteDocument: async (tenantId, vectorStore, documentId, now) => {
      const { rowCount } = await database.query(
        `UPDATE knowledge_documents SET removed_at = $4 WHERE document_id = $3 AND store = (${STORE_ID}) AND ${FOUND}`,
        [tenantId, vectorStore, documentId, now],
      );
      return rowCount === 1;
    },
    erase: (tenantId, now) =>
      database.transaction(async (client) => {
        await engine.lockTenant?.(client, tenantId);
        const { rows: jobs } = await client.query<{ job_id: string; upload_id: string; settled: number }>(
          `SELECT job_id, upload_id, settled FROM knowledge_jobs WHERE tenant_id = $1
            ORDER BY ${sql.number} ${sql.forUpdate}`,
          [tenantId],
        );
        await client.query('UPDATE knowledge_stores SET dropped_at = coalesce(dropped_at, $2) WHERE tenant_id = $1', [
          ...[tenantId, now],
        ]);
        const { rowCount: documents } = await client.query(
          `UPDATE knowledge_documents SET removed_at = $2
            WHERE store IN (SELECT id FROM knowledge_stores WHERE tenant_id = $1) AND removed_at IS NULL`,
          [tenantId, now],
        );
        const ids = jobs.map(({ job_id }) => job_id);
        await client.query(`DELETE FROM knowledge_units WHERE job_id IN ${sql.texts('$1')}`, [ids]);
        await client.query('DELETE FROM knowledge_jobs WHERE tenant_id = $1', [tenantId]);
        await engine.forgetTenant?.(client, tenantId);
        return { documents, uploads: jobs.filter(({ settled }) => settled === 0).map(({ upload_id }) => upload_id) };
      }),
  };
}
