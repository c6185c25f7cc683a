import type { Database } from 'better-sqlite3';
import type { DocumentFormat } from '../../core/knowledge/formats.ts';
import type { ReadOptions } from '../../core/knowledge/reader.ts';
import type {
  ClaimedJob,
  FreshEnd,
  Job,
  JobLimits,
  JobStatus,
  Lease,
  NewJob,
  NewJobResult,
  QueueStats,
} from '../../core/knowledge/store.ts';
import { createWords } from './index-tables.ts';
import type { Statements } from './statements.ts';

export interface JobRow {
  job_id: string;
  tenant_id: string;
  store: number;
  vector_store: string;
  document_id: string;
  upload_id: string;
  original_name: string;
  size: number;
  options: string;
  metadata: string;
  source_id: string | null;
  agent_id: string;
  status: JobStatus;
  processed_chunks: number;
  total_chunks: number;
  progress: number;
  checkpoint: string | null;
  fence: number;
  attempts: number;
  error: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
}

const OPEN = "status IN ('queued', 'processing')";
/** Nobody works on it, and no earlier upload of the same source has to be done before. */
const WAITING = `${OPEN} AND (status = 'queued' OR lease_until <= :now) AND NOT EXISTS (
  SELECT 1 FROM jobs earlier
  WHERE earlier.tenant_id = jobs.tenant_id AND earlier.status IN ('queued', 'processing')
    AND earlier.store = jobs.store AND earlier.source_id = jobs.source_id AND earlier.job_id < jobs.job_id)`;
const AT_WORK = `(SELECT count(*) FROM jobs active
  WHERE active.tenant_id = jobs.tenant_id AND active.status = 'processing' AND active.lease_until > :now)`;

/** Jobs of ingestion in SQLite: who works on which, how far they are, and how they ended. */
export class Jobs {
  private readonly database: Database;
  private readonly statements: Statements;
  /** When each tenant last had a turn, for those that are otherwise equal. */
  private readonly turns = new Map<string, number>();

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
      if (!this.hasRoom(tenantId, limits)) return { outcome: 'full' };
      const store = this.storeFor(tenantId, job);
      if (store.embedder !== job.embedder) return { outcome: 'other embedder', embedder: store.embedder };
      this.statements
        .of(
          `INSERT INTO documents (document_id, store, name, format, size, source_id, metadata, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          job.documentId,
          store.id,
          job.originalName,
          job.options.format,
          job.size,
          job.sourceId,
          JSON.stringify(job.metadata),
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
      return { outcome: 'created', job: toJob(this.rowOf(job.jobId)!) };
    });
  }

  hasRoom(tenantId: string, { ofTenant, ofAll }: JobLimits): boolean {
    const { all, own } = this.statements
      .of(`SELECT count(*) AS "all", count(*) FILTER (WHERE tenant_id = ?) AS own FROM jobs WHERE ${OPEN}`)
      .get(tenantId) as { all: number; own: number };
    return all < ofAll && own < ofTenant;
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

  claim(now: number, leaseUntil: number): ClaimedJob | null {
    return this.statements.atomically((): ClaimedJob | null => {
      const waiting = this.statements
        .of(`SELECT job_id, tenant_id, ${AT_WORK} AS at_work FROM jobs WHERE ${WAITING} ORDER BY at_work, job_id`)
        .all({ now }) as { job_id: string; tenant_id: string; at_work: number }[];
      const [first] = waiting;
      if (!first) return null;
      const next = waiting
        .filter(({ at_work }) => at_work === first.at_work)
        .reduce((one, other) => (this.turnOf(other.tenant_id) < this.turnOf(one.tenant_id) ? other : one));
      this.turns.set(next.tenant_id, now);
      this.statements
        .of(
          `UPDATE jobs SET status = 'processing', fence = fence + 1, attempts = attempts + 1, lease_until = ?,
            started_at = coalesce(started_at, ?) WHERE job_id = ?`,
        )
        .run(leaseUntil, now, next.job_id);
      return this.claimed(next.job_id);
    });
  }

  someoneWaits(tenantId: string, now: number): boolean {
    return (
      this.statements
        .of(
          `SELECT 1 FROM jobs WHERE tenant_id <> :tenantId AND ${WAITING} AND ${AT_WORK} < (SELECT count(*) FROM jobs own
            WHERE own.tenant_id = :tenantId AND own.status = 'processing' AND own.lease_until > :now) LIMIT 1`,
        )
        .get({ tenantId, now }) !== undefined
    );
  }

  renew({ jobId, fence }: Lease, leaseUntil: number): boolean {
    const renewed = this.statements.of(
      "UPDATE jobs SET lease_until = ? WHERE job_id = ? AND fence = ? AND status = 'processing'",
    );
    return this.statements.atomicallyUnsynced(() => renewed.run(leaseUntil, jobId, fence).changes) === 1;
  }

  release({ jobId, fence }: Lease, hasFailed: boolean): void {
    const released = this.statements.of(
      "UPDATE jobs SET lease_until = 0, attempts = CASE ? WHEN 1 THEN attempts ELSE 0 END WHERE job_id = ? AND fence = ? AND status = 'processing'",
    );
    this.statements.atomicallyUnsynced(() => released.run(hasFailed ? 1 : 0, jobId, fence));
  }

  /** Whoever opens the database is the only one to work on it: what another had claimed can be claimed at once. */
  releaseAll(): void {
    this.statements.of("UPDATE jobs SET lease_until = 0 WHERE status = 'processing' AND lease_until > 0").run();
  }

  /** The row of a job that is still the lease's. */
  held({ jobId, fence }: Lease): JobRow | null {
    const row = this.rowOf(jobId);
    return row && row.fence === fence && row.status === 'processing' ? row : null;
  }

  /** Within a transaction. The fence moves on, so that who works on it finds that it is over. */
  end(jobId: string, end: { status: 'completed' } | { status: 'failed'; error: string }, now: number): void {
    const error = end.status === 'failed' ? end.error : null;
    this.statements
      .of(
        `UPDATE jobs SET status = ?, error = ?, completed_at = ?, started_at = coalesce(started_at, created_at),
            fence = fence + 1, checkpoint = NULL WHERE job_id = ?`,
      )
      .run(end.status, error, now, jobId);
  }

  /** Of a store, or of a tenant, those that are not done. */
  open(where: { store: number } | { tenantId: string } | { jobId: string; tenantId: string }): JobRow[] {
    const open = `SELECT * FROM jobs WHERE ${OPEN}`;
    if ('store' in where) return this.statements.of(`${open} AND store = ?`).all(where.store) as JobRow[];
    if (!('jobId' in where)) return this.statements.of(`${open} AND tenant_id = ?`).all(where.tenantId) as JobRow[];
    const { tenantId, jobId } = where;
    return this.statements.of(`${open} AND tenant_id = ? AND job_id = ?`).all(tenantId, jobId) as JobRow[];
  }

  neededUploads(): string[] {
    return this.statements
      .of('SELECT upload_id FROM jobs WHERE settled = 0')
      .all()
      .map(({ upload_id }) => upload_id as string);
  }

  freshEnds(limit: number): FreshEnd[] {
    const rows = this.statements
      .of("SELECT * FROM jobs WHERE settled = 0 AND status IN ('completed', 'failed') ORDER BY job_id LIMIT ?")
      .all(limit) as JobRow[];
    return rows.map((row) => ({
      job: toJob(row),
      agentId: row.agent_id,
      uploadId: row.upload_id,
      size: row.size,
      format: (JSON.parse(row.options) as { format: DocumentFormat }).format,
    }));
  }

  settleEnds(jobIds: string[]): void {
    const settle = this.statements.of('UPDATE jobs SET settled = 1 WHERE job_id = ?');
    this.statements.atomicallyUnsynced(() => {
      for (const jobId of jobIds) settle.run(jobId);
    });
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

  private turnOf(tenantId: string): number {
    return this.turns.get(tenantId) ?? 0;
  }

  private rowOf(jobId: string): JobRow | null {
    return (this.statements.of('SELECT * FROM jobs WHERE job_id = ?').get(jobId) as JobRow | undefined) ?? null;
  }

  private claimed(jobId: string): ClaimedJob {
    const row = this.rowOf(jobId)!;
    const { embedder, dimensions } = this.statements
      .of('SELECT embedder, dimensions FROM stores WHERE id = ?')
      .get(row.store) as { embedder: string; dimensions: number | null };
    return {
      job: toJob(row),
      documentId: row.document_id,
      fence: row.fence,
      uploadId: row.upload_id,
      options: JSON.parse(row.options) as ReadOptions,
      metadata: JSON.parse(row.metadata) as Record<string, unknown>,
      embedder,
      dimensions,
      checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Record<string, unknown>),
      attempts: row.attempts,
    };
  }
}

function toJob(row: JobRow): Job {
  return {
    jobId: row.job_id,
    tenantId: row.tenant_id,
    vectorStore: row.vector_store,
    status: row.status,
    originalName: row.original_name,
    totalChunks: row.total_chunks,
    processedChunks: row.processed_chunks,
    progress: row.progress,
    documentId: row.status === 'completed' ? row.document_id : null,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  };
}
