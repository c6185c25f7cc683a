import type { KnowledgeStore } from '../../../core/knowledge/store.ts';
import { FOUND, type RowsEngine } from './engine.ts';
import { type DocumentRow, type StoredChunkRow, toChunk, toDocument } from './records.ts';

/** $1 is the tenant, $2 the name. */
export const STORE_ID = 'SELECT id FROM knowledge_stores WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL';
const FROM_DOCUMENT = `FROM knowledge_documents documents
  JOIN knowledge_stores stores ON stores.id = documents.store AND stores.dropped_at IS NULL
  WHERE document_id = $1 AND ${FOUND}`;
const CHUNKS = `SELECT id, seq, text, headings, page, "row", line, metadata FROM knowledge_chunks
  WHERE document = $1 AND seq >= $2 ORDER BY seq LIMIT $3`;

type DocumentMethods = Pick<
  KnowledgeStore,
  'listDocuments' | 'readDocument' | 'sourceOf' | 'findDocument' | 'readChunks' | 'deleteDocument' | 'erase'
>;

/** Jobs are locked before documents, which prevents deadlocks. */
export function documentMethods(engine: RowsEngine): DocumentMethods {
  const { database, sql } = engine;
  return {
    listDocuments: async (tenantId, { vectorStore, search = '', limit, offset }) => {
      const named = search === '' ? '' : "AND lower(name) LIKE lower($3) ESCAPE '\\'";
      const found = `FROM knowledge_documents WHERE store = (${STORE_ID}) AND ${FOUND} ${named}`;
      const values = [tenantId, vectorStore, ...(search === '' ? [] : [`%${search.replaceAll(/[\\%_]/g, '\\$&')}%`])];
      const { rows: counts } = await database.query<{ total: number }>(`SELECT count(*) AS total ${found}`, values);
      const page = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
      const { rows } = await database.query<DocumentRow>(`SELECT * ${found} ORDER BY id DESC ${page}`, [
        ...[...values, limit, offset],
      ]);
      return { items: rows.map(toDocument), total: counts[0]!.total };
    },
    readDocument: async (tenantId, { vectorStore, documentId, from, limit }) => {
      const { rows: documents } = await database.query<DocumentRow & { id: number }>(
        `SELECT * FROM knowledge_documents WHERE store = (${STORE_ID}) AND document_id = $3 AND ${FOUND}`,
        [tenantId, vectorStore, documentId],
      );
      if (!documents[0]) return null;
      const { rows } = await database.query<StoredChunkRow>(CHUNKS, [documents[0].id, from, limit]);
      return { document: toDocument(documents[0]), chunks: rows.map(toChunk) };
    },
    sourceOf: async (tenantId, vectorStore, documentId) => {
      const { rows } = await database.query<{ source: string }>(
        `UPDATE knowledge_documents SET source_id = coalesce(source_id, document_id)
          WHERE store = (${STORE_ID}) AND document_id = $3 AND ${FOUND} RETURNING source_id AS source`,
        [tenantId, vectorStore, documentId],
      );
      return rows[0]?.source ?? null;
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
      const { rows } = await database.query<StoredChunkRow>(CHUNKS, [id, from, limit]);
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
