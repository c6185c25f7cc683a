import { RuntimeError } from '../../../core/base/shared/errors.ts';
import type { KnowledgeStore, Lease } from '../../../core/knowledge/store.ts';
import { FOUND, insertRow, OPEN, type RowsClient, type RowsDialect, type RowsEngine } from './engine.ts';
import { type JobRow, toClaimedJob } from './records.ts';

type LeaseMethods = Pick<
  KnowledgeStore,
  'claim' | 'hasOtherWaiting' | 'renew' | 'release' | 'commit' | 'complete' | 'fail' | 'cancelJob' | 'restart'
>;

/** Methods of the workers on jobs. */
export function leaseMethods(engine: RowsEngine): LeaseMethods {
  const { database, sql } = engine;
  const { claim, otherWaiting } = claimStatements(sql);
  const whileLeased = (lease: Lease, work: (client: RowsClient, job: JobRow) => Promise<unknown>) =>
    database.transaction(async (client) => {
      const job = await leasedJob(engine, client, lease);
      if (job) await work(client, job);
      return job !== null;
    });
  return {
    claim: async ({ now, leaseMs, except = [] }) => {
      const values = [now, leaseMs, except];
      const { rows } = await database.query<JobRow & { embedder: string; dimensions: number | null }>(claim, values);
      if (!rows[0]) return null;
      engine.served?.(rows[0].tenant_id, now);
      return toClaimedJob(rows[0], rows[0]);
    },
    hasOtherWaiting: async (tenantId) => (await database.query(otherWaiting, [tenantId])).rows.length > 0,
    renew: async ({ jobId, fence }, leaseMs) => {
      const { rowCount } = await database.query(
        `UPDATE knowledge_jobs SET lease_until = ${sql.after('$3')}
          WHERE job_id = $1 AND fence = $2 AND status = 'processing'`,
        [jobId, fence, leaseMs],
        'unsynced',
      );
      return rowCount === 1;
    },
    release: async ({ jobId, fence }, hasFailed) => {
      await database.query(
        `UPDATE knowledge_jobs SET lease_until = ${sql.past}, attempts = CASE CAST($3 AS integer) WHEN 1 THEN attempts ELSE 0 END
          WHERE job_id = $1 AND fence = $2 AND status = 'processing'`,
        [jobId, fence, hasFailed ? 1 : 0],
        'unsynced',
      );
    },
    // After a power failure text and checkpoint are those of an earlier batch.
    commit: (lease, batch) =>
      database.transaction(async (client) => {
        const job = await leasedJob(engine, client, lease);
        if (!job) return null;
        if (batch.embedded) await settleDimensions(engine, client, job.store, batch.embedded.dimensions);
        const stored = await engine.addChunks(client, job, batch);
        const processed = job.processed_chunks + stored;
        const total = batch.progress > 0 ? Math.max(processed, Math.round(processed / batch.progress)) : processed;
        await client.query(
          `UPDATE knowledge_jobs SET processed_chunks = $2, total_chunks = $3, progress = $4, checkpoint = $5,
            lease_until = ${sql.after('$6')}, attempts = 0, has_units = $7, notes = $8 WHERE job_id = $1`,
          [
            ...[job.job_id, processed, total, batch.progress, JSON.stringify(batch.checkpoint), batch.leaseMs],
            ...[batch.units ? 1 : 0, JSON.stringify(batch.notes)],
          ],
        );
        return stored;
      }, 'unsynced'),
    complete: (lease, now) =>
      whileLeased(lease, async (client, job) => {
        if (job.source_id !== null) {
          await client.query(
            `UPDATE knowledge_documents SET removed_at = $3 WHERE store = $1 AND source_id = $2 AND ${FOUND}`,
            [job.store, job.source_id, now],
          );
        }
        await client.query('UPDATE knowledge_documents SET completed_at = $2 WHERE document_id = $1', [
          ...[job.document_id, now],
        ]);
        await client.query(
          'UPDATE knowledge_jobs SET progress = 1, total_chunks = processed_chunks WHERE job_id = $1',
          [job.job_id],
        );
        await endJobs(engine, client, [job.job_id], { status: 'completed', now });
      }),
    fail: (lease, error, now) => whileLeased(lease, (client, job) => endAsFailed(engine, client, job, { error, now })),
    cancelJob: (tenantId, jobId, error, now) =>
      database.transaction(async (client) => {
        const { rows } = await client.query<JobRow>(
          `SELECT * FROM knowledge_jobs WHERE tenant_id = $1 AND job_id = $2 AND ${OPEN} ${sql.forUpdate}`,
          [tenantId, jobId],
        );
        if (rows[0]) await endAsFailed(engine, client, rows[0], { error, now });
        return rows[0] !== undefined;
      }),
    restart: (lease) =>
      whileLeased(lease, async (client, { job_id, document_id }) => {
        const { rows } = await client.query<Record<string, unknown>>(
          'SELECT * FROM knowledge_documents WHERE document_id = $1',
          [document_id],
        );
        // The chunks stay with a document under another id, to be removed like any other.
        await client.query(
          "UPDATE knowledge_documents SET document_id = document_id || '/' || id, removed_at = 0 WHERE document_id = $1",
          [document_id],
        );
        const { id: _id, chunks: _chunks, words: _words, ...document } = rows[0]!;
        await insertRow(client, 'knowledge_documents', { ...document, repeated: 1 });
        await client.query('DELETE FROM knowledge_units WHERE job_id = $1', [job_id]);
        await client.query(
          `UPDATE knowledge_jobs SET processed_chunks = 0, total_chunks = 0, progress = 0, checkpoint = NULL, notes = NULL
            WHERE job_id = $1`,
          [job_id],
        );
      }),
  };
}

/** A claim is one statement, which passes by what others are claiming. */
function claimStatements(sql: RowsDialect): { claim: string; otherWaiting: string } {
  const { number, now } = sql;
  /** Not leased, and not behind an earlier upload of the same source. */
  const waiting = `j.${OPEN} AND (j.status = 'queued' OR j.lease_until <= ${now}) AND NOT EXISTS (
    SELECT 1 FROM knowledge_jobs earlier WHERE earlier.store = j.store AND earlier.source_id = j.source_id
      AND earlier.${OPEN} AND earlier.${number} < j.${number})`;
  /** Tenants with open jobs, and how many run. */
  const tenants = `SELECT tenant_id, count(*) FILTER (WHERE status = 'processing' AND lease_until > ${now}) AS running
    FROM knowledge_jobs WHERE ${OPEN} GROUP BY tenant_id`;
  return {
    claim: `UPDATE knowledge_jobs SET status = 'processing', fence = fence + 1, attempts = attempts + 1,
        lease_until = ${sql.after('$2')}, ${sql.setServed} started_at = coalesce(started_at, $1)
      WHERE ${number} = (
        SELECT j.${number} FROM knowledge_jobs j JOIN (
          SELECT tenant_id, running, ${sql.servedAt('at_work.tenant_id')} AS served_at FROM (${tenants}) at_work
        ) t ON t.tenant_id = j.tenant_id
        WHERE ${waiting} AND j.tenant_id NOT IN ${sql.texts('$3')}
        ORDER BY t.running, t.served_at, j.${number} LIMIT 1 ${sql.skipLocked('j')})
      RETURNING *, (SELECT embedder FROM knowledge_stores stores WHERE stores.id = store) AS embedder,
        (SELECT dimensions FROM knowledge_stores stores WHERE stores.id = store) AS dimensions`,
    otherWaiting: `WITH tenants AS (${tenants})
      SELECT 1 AS found FROM knowledge_jobs j JOIN tenants t ON t.tenant_id = j.tenant_id
      WHERE j.tenant_id <> $1 AND ${waiting} AND t.running < (SELECT running FROM tenants WHERE tenant_id = $1) LIMIT 1`,
  };
}

/** Null if the lease is lost. Locks the job. */
async function leasedJob(engine: RowsEngine, client: RowsClient, { jobId, fence }: Lease): Promise<JobRow | null> {
  const { rows } = await client.query<JobRow>(
    `SELECT * FROM knowledge_jobs WHERE job_id = $1 AND fence = $2 AND status = 'processing' ${engine.sql.forUpdate}`,
    [jobId, fence],
  );
  return rows[0] ?? null;
}

type JobEnd = { now: number } & ({ status: 'completed' } | { status: 'failed'; error: string });

/** The jobs are locked. Raises their fencing tokens, which ends the leases. */
export async function endJobs(engine: RowsEngine, client: RowsClient, jobIds: string[], end: JobEnd): Promise<void> {
  await client.query(
    `UPDATE knowledge_jobs SET status = $2, error = $3, completed_at = $4, started_at = coalesce(started_at, created_at),
      fence = fence + 1, checkpoint = NULL WHERE job_id IN ${engine.sql.texts('$1')}`,
    [jobIds, end.status, end.status === 'failed' ? end.error : null, end.now],
  );
}

async function endAsFailed(
  engine: RowsEngine,
  client: RowsClient,
  job: JobRow,
  end: { error: string; now: number },
): Promise<void> {
  await client.query('UPDATE knowledge_documents SET removed_at = $2 WHERE document_id = $1', [
    ...[job.document_id, end.now],
  ]);
  await endJobs(engine, client, [job.job_id], { status: 'failed', ...end });
}

/** Throws `upstream` for vectors of another length than those of the store. */
async function settleDimensions(engine: RowsEngine, client: RowsClient, store: number, dimensions: number) {
  const { rowCount } = await client.query(
    'UPDATE knowledge_stores SET dimensions = $2 WHERE id = $1 AND dimensions IS NULL',
    [store, dimensions],
  );
  if (rowCount === 1) return engine.createVectors?.(store, dimensions);
  const { rows } = await client.query<{ dimensions: number; embedder: string }>(
    'SELECT dimensions, embedder FROM knowledge_stores WHERE id = $1',
    [store],
  );
  const { dimensions: known, embedder } = rows[0]!;
  if (known === dimensions) return;
  const message = `${embedder} made vectors of ${dimensions} dimensions for a store of ${known}. Use the model that the store was made with, or another store.`;
  throw new RuntimeError('upstream', message);
}
