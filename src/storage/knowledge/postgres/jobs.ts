import {
  type Job,
  type JobLimits,
  type JobStatus,
  type Lease,
  type NewJob,
  type NewJobResult,
  NO_EMBEDDER,
  type QueueStats,
  type UnreportedJob,
} from '../../../core/knowledge/store.ts';
import type { PostgresClient, PostgresPool } from '../../state/postgres/pool.ts';
import { type JobRow, toJob, toUnreportedJob } from '../../state/sql/knowledge-rows.ts';
import { testedMetadata } from './metadata.ts';
import type { Vectors } from './vectors.ts';

export const OPEN = "status IN ('queued', 'processing')";

/** Grows with each job: the order of their creation. */
export interface NumberedJobRow extends JobRow {
  number: number;
}

type Creation = { tenantId: string; job: NewJob; limits: JobLimits };

export class Jobs {
  private readonly pool: PostgresPool;
  private readonly vectors: Vectors;

  constructor(pool: PostgresPool, vectors: Vectors) {
    this.pool = pool;
    this.vectors = vectors;
  }

  /** Throws `unprocessable` for a job with vectors in a database without pgvector. */
  async create(tenantId: string, job: NewJob, limits: JobLimits): Promise<NewJobResult> {
    if (job.embedder !== NO_EMBEDDER) await this.vectors.prepare();
    return this.pool.transaction((client) => this.createLocked(client, { tenantId, job, limits }));
  }

  /**
   * Limits hold for a tenant. Tenants that create at the same time may pass the total by one each.
   */
  private async createLocked(client: PostgresClient, creation: Creation): Promise<NewJobResult> {
    const { tenantId, job, limits } = creation;
    await lockTenant(client, tenantId);
    const { rows } = await client.query<JobRow>(
      `SELECT * FROM knowledge_jobs WHERE tenant_id = $1 AND ${OPEN} AND fingerprint = $2 AND vector_store = $3`,
      [tenantId, job.fingerprint, job.vectorStore],
    );
    if (rows[0]) return { outcome: 'running', job: toJob(rows[0]) };
    const { perTenant, total, documentBytes = null } = limits;
    const { own, all } = await countOpen(client, tenantId);
    if (own >= perTenant || all >= total) return { outcome: 'full' };
    const stored = documentBytes === null ? 0 : await storedBytes(client, tenantId);
    if (documentBytes !== null && stored + job.size > documentBytes) return { outcome: 'over quota', stored };
    const store = await storeFor(client, tenantId, job);
    if (store.embedder !== job.embedder) return { outcome: 'other embedder', embedder: store.embedder };
    const created = await insertJob(client, creation, store.id);
    const same = await sameContent(client, store.id, job);
    return { outcome: 'created', job: created, stored: documentBytes === null ? 0 : stored + job.size, same };
  }

  countOpen(tenantId: string): Promise<{ own: number; all: number }> {
    return countOpen(this.pool, tenantId);
  }

  storedBytes(tenantId: string): Promise<number> {
    return storedBytes(this.pool, tenantId);
  }

  async find(jobId: string): Promise<Job | null> {
    const { rows } = await this.pool.query<JobRow>('SELECT * FROM knowledge_jobs WHERE job_id = $1', [jobId]);
    return rows[0] ? toJob(rows[0]) : null;
  }

  async list(
    tenantId: string,
    query: { vectorStore: string; status: JobStatus | null; limit: number; offset: number },
  ): Promise<Job[]> {
    const { vectorStore, status, limit, offset } = query;
    const { rows } = await this.pool.query<JobRow>(
      `SELECT * FROM knowledge_jobs WHERE tenant_id = $1 AND vector_store = $2 AND ($3::text IS NULL OR status = $3)
        ORDER BY job_id DESC LIMIT $4 OFFSET $5`,
      [tenantId, vectorStore, status, limit, offset],
    );
    return rows.map(toJob);
  }

  async neededUploads(): Promise<string[]> {
    const { rows } = await this.pool.query<{ upload_id: string }>(
      'SELECT upload_id FROM knowledge_jobs WHERE settled = 0',
    );
    return rows.map(({ upload_id }) => upload_id);
  }

  async unreportedJobs(limit: number): Promise<UnreportedJob[]> {
    const { rows } = await this.pool.query<JobRow>(
      `SELECT * FROM knowledge_jobs WHERE settled = 0 AND status IN ('completed', 'failed') ORDER BY job_id LIMIT $1`,
      [limit],
    );
    return rows.map(toUnreportedJob);
  }

  async markReported(jobIds: string[]): Promise<string[]> {
    if (jobIds.length === 0) return [];
    const { rows } = await this.pool.query<{ job_id: string }>(
      `UPDATE knowledge_jobs SET settled = 1 WHERE number IN
        (SELECT number FROM knowledge_jobs WHERE job_id = ANY ($1::text[]) AND settled = 0 ORDER BY number FOR UPDATE)
        RETURNING job_id`,
      [jobIds],
    );
    return rows.map(({ job_id }) => job_id);
  }

  async stats(): Promise<QueueStats> {
    const { rows } = await this.pool.query<QueueStats>(
      `SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
        count(*) FILTER (WHERE status = 'processing') AS processing FROM knowledge_jobs WHERE ${OPEN}`,
    );
    return rows[0]!;
  }
}

/** Until the transaction ends, nobody else changes jobs, stores or limits of the tenant. */
export async function lockTenant(client: PostgresClient, tenantId: string): Promise<void> {
  await client.query(
    `INSERT INTO knowledge_tenants (tenant_id) VALUES ($1)
      ON CONFLICT (tenant_id) DO UPDATE SET tenant_id = excluded.tenant_id`,
    [tenantId],
  );
}

/** Null: the lease is lost. Locks the job. */
export async function leasedJob(client: PostgresClient, { jobId, fence }: Lease): Promise<NumberedJobRow | null> {
  const { rows } = await client.query<NumberedJobRow>(
    "SELECT * FROM knowledge_jobs WHERE job_id = $1 AND fence = $2 AND status = 'processing' FOR UPDATE",
    [jobId, fence],
  );
  return rows[0] ?? null;
}

type JobEnd = { status: 'completed' } | { status: 'failed'; error: string };

/** Of locked jobs. Raises the fencing token, which ends the lease. */
export async function endJobs(client: PostgresClient, jobIds: string[], end: JobEnd, now: number): Promise<void> {
  await client.query(
    `UPDATE knowledge_jobs SET status = $2, error = $3, completed_at = $4, started_at = coalesce(started_at, created_at),
      fence = fence + 1, checkpoint = NULL WHERE job_id = ANY ($1::text[])`,
    [jobIds, end.status, end.status === 'failed' ? end.error : null, now],
  );
}

async function countOpen(client: PostgresClient, tenantId: string): Promise<{ own: number; all: number }> {
  const { rows } = await client.query<{ own: number; all: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE tenant_id = $1) AS own FROM knowledge_jobs WHERE ${OPEN}`,
    [tenantId],
  );
  return rows[0]!;
}

async function storedBytes(client: PostgresClient, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT coalesce(sum(size), 0) AS bytes FROM knowledge_documents
      WHERE store IN (SELECT id FROM knowledge_stores WHERE tenant_id = $1) AND removed_at IS NULL`,
    [tenantId],
  );
  return rows[0]!.bytes;
}

async function storeFor(client: PostgresClient, tenantId: string, { vectorStore, embedder, now }: NewJob) {
  const { rows: known } = await client.query<{ id: number; embedder: string }>(
    'SELECT id, embedder FROM knowledge_stores WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL',
    [tenantId, vectorStore],
  );
  if (known[0]) return known[0];
  const { rows: made } = await client.query<{ id: number; embedder: string }>(
    `INSERT INTO knowledge_stores (tenant_id, name, embedder, created_at) VALUES ($1, $2, $3, $4)
      RETURNING id, embedder`,
    [tenantId, vectorStore, embedder, now],
  );
  return made[0]!;
}

async function sameContent(client: PostgresClient, store: number, { content, documentId, sourceId }: NewJob) {
  const { rows } = await client.query<{ documentId: string; name: string }>(
    `SELECT document_id AS "documentId", name FROM knowledge_documents WHERE store = $1 AND content = $2 AND removed_at IS NULL
      AND document_id <> $3 AND (source_id IS NULL OR source_id IS DISTINCT FROM $4) ORDER BY completed_at IS NULL, id LIMIT 1`,
    [store, content, documentId, sourceId],
  );
  return rows[0] ?? null;
}

async function insertJob(client: PostgresClient, { tenantId, job }: Creation, store: number): Promise<Job> {
  const metadata = JSON.stringify(job.metadata);
  await client.query(
    `INSERT INTO knowledge_documents
        (document_id, store, name, format, size, source_id, metadata, tested, created_at, content, repeated)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, (SELECT count(*) FROM (SELECT 1 FROM knowledge_documents
        WHERE store = $2 AND content = $10 AND removed_at IS NULL LIMIT 1) earlier))`,
    [
      ...[job.documentId, store, job.originalName, job.options.format, job.size, job.sourceId, metadata],
      ...[testedMetadata(job.metadata), job.now, job.content],
    ],
  );
  const { rows } = await client.query<JobRow>(
    `INSERT INTO knowledge_jobs (job_id, tenant_id, store, vector_store, document_id, fingerprint, upload_id,
        original_name, size, options, metadata, source_id, agent_id, status, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'queued', $14) RETURNING *`,
    [
      ...[job.jobId, tenantId, store, job.vectorStore, job.documentId, job.fingerprint, job.uploadId],
      ...[job.originalName, job.size, JSON.stringify(job.options), metadata, job.sourceId, job.agentId, job.now],
    ],
  );
  return toJob(rows[0]!);
}
