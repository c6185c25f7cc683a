import type { Job, JobLimits, JobStatus, KnowledgeStore, NewJob, NewJobResult } from '../../../core/knowledge/store.ts';
import { insertRow, OPEN, type RowsClient, type RowsEngine } from './engine.ts';
import { type JobRow, toJob, toUnreportedJob } from './records.ts';
import { insertStore } from './stores.ts';

type JobMethods = Pick<
  KnowledgeStore,
  'createJob' | 'openJobs' | 'storedBytes' | 'findJob' | 'listJobs' | 'countJobs' | 'neededUploads' | 'unreportedJobs'
> &
  Pick<KnowledgeStore, 'markReported' | 'stats'>;

export function jobMethods(engine: RowsEngine): JobMethods {
  const { database, sql } = engine;
  return {
    createJob: (tenantId, job, limits) =>
      database.transaction((client) => createJob(engine, client, { tenantId, job, limits })),
    openJobs: (tenantId) => countOpen(database, tenantId),
    storedBytes: (tenantId) => storedBytes(database, tenantId),
    findJob: async (jobId) => {
      const { rows } = await database.query<JobRow>('SELECT * FROM knowledge_jobs WHERE job_id = $1', [jobId]);
      return rows[0] ? toJob(rows[0]) : null;
    },
    listJobs: async (tenantId, { vectorStore, status, limit, offset }) => {
      const { rows } = await database.query<JobRow>(
        `SELECT * ${jobsWith(status)} ORDER BY job_id DESC LIMIT $4 OFFSET $5`,
        [tenantId, vectorStore, status, limit, offset],
      );
      return rows.map(toJob);
    },
    countJobs: async (tenantId, { vectorStore, status }) => {
      const values = [tenantId, vectorStore, status];
      const { rows } = await database.query<{ total: number }>(`SELECT count(*) AS total ${jobsWith(status)}`, values);
      return rows[0]!.total;
    },
    neededUploads: async () => {
      const { rows } = await database.query<JobRow>('SELECT upload_id FROM knowledge_jobs WHERE settled = 0');
      return rows.map(({ upload_id }) => upload_id);
    },
    unreportedJobs: async (limit) => {
      const { rows } = await database.query<JobRow>(
        `SELECT * FROM knowledge_jobs WHERE settled = 0 AND status IN ('completed', 'failed') ORDER BY job_id LIMIT $1`,
        [limit],
      );
      return rows.map(toUnreportedJob);
    },
    markReported: async (jobIds) => {
      if (jobIds.length === 0) return [];
      const { rows } = await database.query<JobRow>(
        `UPDATE knowledge_jobs SET settled = 1 WHERE ${sql.number} IN (
          SELECT ${sql.number} FROM knowledge_jobs WHERE job_id IN ${sql.texts('$1')} AND settled = 0
          ORDER BY ${sql.number} ${sql.forUpdate}) RETURNING job_id`,
        [jobIds],
        'unsynced',
      );
      return rows.map(({ job_id }) => job_id);
    },
    stats: async () => {
      const { rows } = await database.query<{ queued: number; processing: number }>(
        `SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
          count(*) FILTER (WHERE status = 'processing') AS processing FROM knowledge_jobs WHERE ${OPEN}`,
      );
      return rows[0]!;
    },
  };
}

/** The condition on open jobs lets the index of open ones find them. */
function jobsWith(status: JobStatus | null): string {
  const isOpen = status === 'queued' || status === 'processing';
  return `FROM knowledge_jobs WHERE tenant_id = $1 AND vector_store = $2
    AND (CAST($3 AS text) IS NULL OR status = $3) ${isOpen ? `AND ${OPEN}` : ''}`;
}

interface Creation {
  tenantId: string;
  job: NewJob;
  limits: JobLimits;
}

/**
 * Limits hold for a tenant. Tenants that create at the same time may pass the total by one each.
 */
async function createJob(engine: RowsEngine, client: RowsClient, creation: Creation): Promise<NewJobResult> {
  const { tenantId, job, limits } = creation;
  await engine.lockTenant?.(client, tenantId);
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
  const store = await storeFor(engine, client, creation);
  if (store.embedder !== job.embedder) return { outcome: 'other embedder', embedder: store.embedder };
  const created = await insertJob(engine, client, { ...creation, store: store.id });
  const same = await sameContent(client, store.id, job);
  return { outcome: 'created', job: created, stored: documentBytes === null ? 0 : stored + job.size, same };
}

async function countOpen(client: RowsClient, tenantId: string): Promise<{ own: number; all: number }> {
  const { rows } = await client.query<{ own: number; all: number }>(
    `SELECT count(*) AS "all", count(*) FILTER (WHERE tenant_id = $1) AS own FROM knowledge_jobs WHERE ${OPEN}`,
    [tenantId],
  );
  return rows[0]!;
}

async function storedBytes(client: RowsClient, tenantId: string): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `SELECT coalesce(sum(size), 0) AS bytes FROM knowledge_documents
      WHERE store IN (SELECT id FROM knowledge_stores WHERE tenant_id = $1) AND removed_at IS NULL`,
    [tenantId],
  );
  return rows[0]!.bytes;
}

type StoreRow = { id: number; embedder: string };

async function storeFor(engine: RowsEngine, client: RowsClient, { tenantId, job }: Creation): Promise<StoreRow> {
  const { rows } = await client.query<StoreRow>(
    'SELECT id, embedder FROM knowledge_stores WHERE tenant_id = $1 AND name = $2 AND dropped_at IS NULL',
    [tenantId, job.vectorStore],
  );
  if (rows[0]) return rows[0];
  return insertStore(engine, client, tenantId, { ...job, name: job.vectorStore });
}

async function insertJob(
  engine: RowsEngine,
  client: RowsClient,
  { tenantId, job, store }: Creation & { store: number },
): Promise<Job> {
  const { rows: earlier } = await client.query(
    'SELECT 1 AS found FROM knowledge_documents WHERE store = $1 AND content = $2 AND removed_at IS NULL LIMIT 1',
    [store, job.content],
  );
  const both = {
    store,
    document_id: job.documentId,
    size: job.size,
    metadata: JSON.stringify(job.metadata),
    source_id: job.sourceId,
    created_at: job.now,
  };
  await insertRow(client, 'knowledge_documents', {
    ...both,
    ...engine.filterColumns?.(job.metadata),
    name: job.originalName,
    format: job.options.format,
    content: job.content,
    repeated: earlier.length,
  });
  const row = await insertRow<JobRow>(client, 'knowledge_jobs', {
    ...both,
    job_id: job.jobId,
    tenant_id: tenantId,
    vector_store: job.vectorStore,
    fingerprint: job.fingerprint,
    upload_id: job.uploadId,
    original_name: job.originalName,
    options: JSON.stringify(job.options),
    agent_id: job.agentId,
    status: 'queued',
  });
  return toJob(row);
}

async function sameContent(client: RowsClient, store: number, { content, documentId, sourceId }: NewJob) {
  const { rows } = await client.query<{ documentId: string; name: string }>(
    `SELECT document_id AS "documentId", name FROM knowledge_documents
      WHERE store = $1 AND content = $2 AND removed_at IS NULL AND document_id <> $3
        AND (source_id IS NULL OR source_id IS DISTINCT FROM $4) ORDER BY completed_at IS NULL, id LIMIT 1`,
    [store, content, documentId, sourceId],
  );
  return rows[0] ?? null;
}
