import type { Lease, ReadChunks, StoredDocument, VectorStore } from '../../../core/knowledge/store.ts';
import {
  type DocumentRow,
  type JobRow,
  type StoredChunkRow,
  toChunk,
  toDocument,
} from '../../state/sql/knowledge-rows.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { vectorsTable } from './index-tables.ts';
import type { Jobs } from './jobs.ts';

/** Searchable documents. */
export const FOUND = 'completed_at IS NOT NULL AND removed_at IS NULL';
const STORES = `SELECT name, embedder, dimensions, created_at AS createdAt,
    (SELECT count(*) FROM documents WHERE documents.store = stores.id AND ${FOUND}) AS documents,
    (SELECT coalesce(sum(chunks), 0) FROM documents WHERE documents.store = stores.id AND ${FOUND}) AS chunks
  FROM stores WHERE tenant_id = ? AND dropped_at IS NULL`;

export class Documents {
  private readonly statements: Statements;
  private readonly jobs: Jobs;

  constructor(statements: Statements, jobs: Jobs) {
    this.statements = statements;
    this.jobs = jobs;
  }

  listStores(tenantId: string): VectorStore[] {
    return this.statements.of(`${STORES} ORDER BY name`).all(tenantId) as VectorStore[];
  }

  findStore(tenantId: string, name: string): VectorStore | null {
    return (this.statements.of(`${STORES} AND name = ?`).get(tenantId, name) as VectorStore | undefined) ?? null;
  }

  dropStore(tenantId: string, name: string, now: number): boolean {
    const id = this.storeId(tenantId, name);
    if (id === null) return false;
    return this.statements.atomically(() => {
      this.statements.of('UPDATE stores SET dropped_at = ? WHERE id = ?').run(now, id);
      this.statements.of('UPDATE documents SET removed_at = ? WHERE store = ? AND removed_at IS NULL').run(now, id);
      for (const { job_id } of this.jobs.open({ store: id })) {
        this.jobs.end(job_id, { status: 'failed', error: 'The vector store was deleted.' }, now);
      }
      return true;
    });
  }

  list(
    tenantId: string,
    { vectorStore, limit, offset }: { vectorStore: string; limit: number; offset: number },
  ): { items: StoredDocument[]; total: number } {
    const store = this.storeId(tenantId, vectorStore);
    const { total } = this.statements
      .of(`SELECT count(*) AS total FROM documents WHERE store = ? AND ${FOUND}`)
      .get(store) as { total: number };
    const rows = this.statements
      .of(`SELECT * FROM documents WHERE store = ? AND ${FOUND} ORDER BY id DESC LIMIT ? OFFSET ?`)
      .all(store, limit, offset) as DocumentRow[];
    return { items: rows.map(toDocument), total };
  }

  find(documentId: string): { tenantId: string; vectorStore: string } | null {
    const found = this.statements
      .of(
        `SELECT stores.tenant_id AS tenantId, stores.name AS vectorStore FROM documents
          JOIN stores ON stores.id = documents.store AND stores.dropped_at IS NULL
          WHERE document_id = ? AND ${FOUND}`,
      )
      .get(documentId) as { tenantId: string; vectorStore: string } | undefined;
    return found ?? null;
  }

  readChunks(tenantId: string, documentId: string, from: number, limit: number): ReadChunks {
    const document = this.statements
      .of(
        `SELECT documents.id, stores.id AS store, dimensions FROM documents
          JOIN stores ON stores.id = documents.store AND stores.dropped_at IS NULL
          WHERE document_id = ? AND tenant_id = ? AND ${FOUND}`,
      )
      .get(documentId, tenantId) as { id: number; store: number; dimensions: number | null } | undefined;
    if (!document) return { chunks: [], embedded: null };
    const rows = this.statements
      .of('SELECT * FROM chunks WHERE document = ? AND seq >= ? ORDER BY seq LIMIT ?')
      .all(document.id, from, limit) as StoredChunkRow[];
    const { store, dimensions } = document;
    const chunks = rows.map(toChunk);
    if (dimensions === null) return { chunks, embedded: null };
    const vector = this.statements.of(`SELECT embedding FROM ${vectorsTable(store)} WHERE rowid = ?`);
    const vectors = new Float32Array(rows.length * dimensions);
    for (const [index, { id }] of rows.entries()) {
      const { embedding } = vector.get(BigInt(id)) as { embedding: Buffer };
      vectors.set(new Float32Array(Uint8Array.from(embedding).buffer), index * dimensions);
    }
    return { chunks, embedded: { vectors, dimensions } };
  }

  delete(tenantId: string, vectorStore: string, documentId: string, now: number): boolean {
    const { changes } = this.statements
      .of(`UPDATE documents SET removed_at = ? WHERE document_id = ? AND store = ? AND ${FOUND}`)
      .run(now, documentId, this.storeId(tenantId, vectorStore));
    return changes === 1;
  }

  complete(lease: Lease, now: number): boolean {
    return this.statements.atomically(() => {
      const job = this.jobs.leased(lease);
      if (!job) return false;
      if (job.source_id !== null) {
        this.statements
          .of(`UPDATE documents SET removed_at = ? WHERE store = ? AND source_id = ? AND ${FOUND}`)
          .run(now, job.store, job.source_id);
      }
      this.statements.of('UPDATE documents SET completed_at = ? WHERE document_id = ?').run(now, job.document_id);
      this.statements
        .of('UPDATE jobs SET progress = 1, total_chunks = processed_chunks WHERE job_id = ?')
        .run(job.job_id);
      this.jobs.end(job.job_id, { status: 'completed' }, now);
      return true;
    });
  }

  fail(lease: Lease, error: string, now: number): boolean {
    return this.statements.atomically(() => {
      const job = this.jobs.leased(lease);
      if (job) this.endAsFailed(job, error, now);
      return job !== null;
    });
  }

  cancel(tenantId: string, jobId: string, error: string, now: number): boolean {
    return this.statements.atomically(() => {
      const [job] = this.jobs.open({ tenantId, jobId });
      if (job) this.endAsFailed(job, error, now);
      return job !== undefined;
    });
  }

  restart(lease: Lease): boolean {
    return this.statements.atomically(() => {
      const job = this.jobs.leased(lease);
      if (!job) return false;
      // A document under a random name takes over the chunks, to be removed like any other.
      const { lastInsertRowid } = this.statements
        .of(
          `INSERT INTO documents (document_id, store, name, format, size, source_id, metadata, content, repeated, created_at)
            SELECT document_id || '/again', store, name, format, size, source_id, metadata, content, 1, created_at
            FROM documents WHERE document_id = ?`,
        )
        .run(job.document_id);
      this.statements
        .of("UPDATE documents SET document_id = document_id || '/' || id, removed_at = 0 WHERE document_id = ?")
        .run(job.document_id);
      this.statements.of('UPDATE documents SET document_id = ? WHERE id = ?').run(job.document_id, lastInsertRowid);
      this.statements.of('DELETE FROM units WHERE job_id = ?').run(job.job_id);
      this.statements
        .of(
          'UPDATE jobs SET processed_chunks = 0, total_chunks = 0, progress = 0, checkpoint = NULL, notes = NULL WHERE job_id = ?',
        )
        .run(job.job_id);
      return true;
    });
  }

  erase(tenantId: string, now: number): { documents: number; uploads: string[] } {
    return this.statements.atomically(() => {
      const { documents } = this.statements
        .of(
          `SELECT count(*) AS documents FROM documents JOIN stores ON stores.id = documents.store
            WHERE stores.tenant_id = ? AND removed_at IS NULL`,
        )
        .get(tenantId) as { documents: number };
      const uploads = this.statements
        .of('SELECT upload_id FROM jobs WHERE tenant_id = ? AND settled = 0')
        .all(tenantId)
        .map(({ upload_id }) => upload_id as string);
      this.statements
        .of('UPDATE stores SET dropped_at = coalesce(dropped_at, ?) WHERE tenant_id = ?')
        .run(now, tenantId);
      this.statements
        .of(
          `UPDATE documents SET removed_at = ?
            WHERE store IN (SELECT id FROM stores WHERE tenant_id = ?) AND removed_at IS NULL`,
        )
        .run(now, tenantId);
      this.statements
        .of('DELETE FROM units WHERE job_id IN (SELECT job_id FROM jobs WHERE tenant_id = ?)')
        .run(tenantId);
      this.statements.of('DELETE FROM jobs WHERE tenant_id = ?').run(tenantId);
      return { documents, uploads };
    });
  }

  private endAsFailed(job: JobRow, error: string, now: number): void {
    this.statements.of('UPDATE documents SET removed_at = ? WHERE document_id = ?').run(now, job.document_id);
    this.jobs.end(job.job_id, { status: 'failed', error }, now);
  }

  private storeId(tenantId: string, name: string): number | null {
    const row = this.statements
      .of('SELECT id FROM stores WHERE tenant_id = ? AND name = ? AND dropped_at IS NULL')
      .get(tenantId, name) as { id: number } | undefined;
    return row?.id ?? null;
  }
}
