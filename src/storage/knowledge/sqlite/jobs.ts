import type { Database } from 'better-sqlite3';
import type {
  Job,
  JobLimits,
  JobStatus,
  Lease,
  NewJob,
  NewJobResult,
  QueueStats,
  UnreportedJob,
} from '../../../core/knowledge/store.ts';
import { type JobRow, toJob, toUnreportedJob } from '../../state/sql/knowledge-rows.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { createWords } from './index-tables.ts';

export const OPEN = "status IN ('queued', 'processing')";

export class Jobs {
  private readonly database: Database;
  private readonly statements: Statements;

  constructor(database: Database, statements: Statements) {
    this.database = database;
    this.statements = statements;
  }

  create(tenantId: string, job: NewJob, limits: JobLimits): NewJobResult {
    return this.statements.atomically((): NewJobResult => {
      const running = this.statements
        .of(`SELECT * FROM jobs WHERE tenant_id = ? AND ${OPEN} AND fingerprint = ? AND vector_store = ?`)
        .get(tenantId, job.fingerprint, job.vectorStore) as JobRow | undefined;
      if (running) return { outcome: 'running', job: toJob(running) };
      const { perTenant, total, documentBytes = null } = limits;
      const { own, all } = this.countOpen(tenantId);
      if (own >= perTenant || all >= total) return { outcome: 'full' };
      const stored = documentBytes === null ? 0 : this.storedBytes(tenantId);
      if (documentBytes !== null && stored + job.size > documentBytes) return { outcome: 'over quota', stored };
      const store = this.storeFor(tenantId, job);
      if (store.embedder !== job.embedder) return { outcome: 'other embedder', embedder: store.embedder };
      this.statements
        .of(
          `INSERT INTO documents (document_id, store, name, format, size, source_id, metadata, content, repeated, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?,
              EXISTS (SELECT 1 FROM documents WHERE store = ? AND content = ? AND removed_at IS NULL), ?)`,
        )
        .run(
          job.documentId,
          store.id,
          job.originalName,
          job.options.format,
          job.size,
          job.sourceId,
          JSON.stringify(job.metadata),
          ...[job.content, store.id, job.content],
          job.now,
        );
      this.statements
        .of(
          `INSERT INTO jobs (job_id, tenant_id, store, vector_store, document_id, fingerprint, upload_id, original_name,
              size, options, metadata, source_id, agent_id, status, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)`,
        )
        .run(
          job.jobId,
          tenantId,
          store.id,
          job.vectorStore,
          job.documentId,
          job.fingerprint,
          job.uploadId,
          job.originalName,
          job.size,
          JSON.stringify(job.options),
          JSON.stringify(job.metadata),
          job.sourceId,
          job.agentId,
          job.now,
        );
      const created = toJob(this.rowOf(job.jobId)!);
      const same = this.sameContent(store.id, job);
      return { outcome: 'created', job: created, stored: documentBytes === null ? 0 : stored + job.size, same };
    });
  }

  private sameContent(store: number, { content, documentId, sourceId }: NewJob) {
    const found = this.statements
      .of(
        `SELECT document_id AS documentId, name FROM documents WHERE store = ? AND content = ? AND removed_at IS NULL
          AND document_id <> ? AND (source_id IS NULL OR source_id IS NOT ?) ORDER BY completed_at IS NULL, id LIMIT 1`,
      )
      .get(store, content, documentId, sourceId) as { documentId: string; name: string } | undefined;
    return found ?? null;
  }

  countOpen(tenantId: string): { own: number; all: number } {
    return this.statements
      .of(`SELECT count(*) AS "all", count(*) FILTER (WHERE tenant_id = ?) AS own FROM jobs WHERE ${OPEN}`)
      .get(tenantId) as { own: number; all: number };
  }

  storedBytes(tenantId: string): number {
    const { bytes } = this.statements
      .of(
        `SELECT coalesce(sum(size), 0) AS bytes FROM documents
          WHERE store IN (SELECT id FROM stores WHERE tenant_id = ?) AND removed_at IS NULL`,
      )
      .get(tenantId) as { bytes: number };
    return bytes;
  }

  find(jobId: string): Job | null {
    const row = this.rowOf(jobId);
    return row ? toJob(row) : null;
  }

  list(
    tenantId: string,
    query: { vectorStore: string; status: JobStatus | null; limit: number; offset: number },
  ): Job[] {
    const { vectorStore, status, limit, offset } = query;
    const rows = this.statements
      .of(
        `SELECT * FROM jobs WHERE tenant_id = ? AND vector_store = ? AND (? IS NULL OR status = ?)
          ORDER BY job_id DESC LIMIT ? OFFSET ?`,
      )
      .all(tenantId, vectorStore, status, status, limit, offset) as JobRow[];
    return rows.map(toJob);
  }

  leased({ jobId, fence }: Lease): JobRow | null {
    const row = this.rowOf(jobId);
    return row && row.fence === fence && row.status === 'processing' ? row : null;
  }

  /** Call within a transaction. Raises the fencing token, which ends the lease. */
  end(jobId: string, end: { status: 'completed' } | { status: 'failed'; error: string }, now: number): void {
    const error = end.status === 'failed' ? end.error : null;
    this.statements
      .of(
        `UPDATE jobs SET status = ?, error = ?, completed_at = ?, started_at = coalesce(started_at, created_at),
            fence = fence + 1, checkpoint = NULL WHERE job_id = ?`,
      )
      .run(end.status, error, now, jobId);
  }

  open(where: { store: number } | { jobId: string; tenantId: string }): JobRow[] {
    const open = `SELECT * FROM jobs WHERE ${OPEN}`;
    if ('store' in where) return this.statements.of(`${open} AND store = ?`).all(where.store) as JobRow[];
    const { tenantId, jobId } = where;
    return this.statements.of(`${open} AND tenant_id = ? AND job_id = ?`).all(tenantId, jobId) as JobRow[];
  }

  neededUploads(): string[] {
    return this.statements
      .of('SELECT upload_id FROM jobs WHERE settled = 0')
      .all()
      .map(({ upload_id }) => upload_id as string);
  }

  unreportedJobs(limit: number): UnreportedJob[] {
    const rows = this.statements
      .of("SELECT * FROM jobs WHERE settled = 0 AND status IN ('completed', 'failed') ORDER BY job_id LIMIT ?")
      .all(limit) as JobRow[];
    return rows.map(toUnreportedJob);
  }

  markReported(jobIds: string[]): string[] {
    const settle = this.statements.of('UPDATE jobs SET settled = 1 WHERE job_id = ? AND settled = 0');
    return this.statements.atomicallyUnsynced(() => jobIds.filter((jobId) => settle.run(jobId).changes === 1));
  }

  stats(): QueueStats {
    return this.statements
      .of(
        `SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
          count(*) FILTER (WHERE status = 'processing') AS processing FROM jobs WHERE ${OPEN}`,
      )
      .get() as QueueStats;
  }

  private storeFor(tenantId: string, { vectorStore, embedder, now }: NewJob): { id: number; embedder: string } {
    const known = this.statements
      .of('SELECT id, embedder FROM stores WHERE tenant_id = ? AND name = ? AND dropped_at IS NULL')
      .get(tenantId, vectorStore) as { id: number; embedder: string } | undefined;
    if (known) return known;
    const { lastInsertRowid } = this.statements
      .of('INSERT INTO stores (tenant_id, name, embedder, created_at) VALUES (?, ?, ?, ?)')
      .run(tenantId, vectorStore, embedder, now);
    const id = Number(lastInsertRowid);
    createWords(this.database, id);
    return { id, embedder };
  }

  rowOf(jobId: string): JobRow | null {
    return (this.statements.of('SELECT * FROM jobs WHERE job_id = ?').get(jobId) as JobRow | undefined) ?? null;
  }
}
