import type { ClaimedJob, ClaimRequest, Lease } from '../../../core/knowledge/store.ts';
import type { PostgresPool } from '../../state/postgres/pool.ts';
import { type JobRow, toClaimedJob } from '../../state/sql/knowledge-rows.ts';
import { OPEN } from './jobs.ts';

const RUNNING = `count(*) FILTER (WHERE status = 'processing' AND lease_until > clock_timestamp())`;
/**
 * Not leased, and not behind an earlier upload of the same source. Numbers grow; ids of jobs follow
 * the clocks of nodes.
 */
const WAITING = `j.${OPEN} AND (j.status = 'queued' OR j.lease_until <= clock_timestamp()) AND NOT EXISTS (
  SELECT 1 FROM knowledge_jobs earlier WHERE earlier.store = j.store AND earlier.source_id = j.source_id
    AND earlier.${OPEN} AND earlier.number < j.number)`;
/** Tenants with open jobs: how many run, and when the last one was claimed. */
const TENANTS = `SELECT tenant_id, running,
    (SELECT max(claimed_at) FROM knowledge_jobs served WHERE served.tenant_id = at_work.tenant_id) AS served_at
  FROM (SELECT tenant_id, ${RUNNING} AS running FROM knowledge_jobs WHERE ${OPEN} GROUP BY tenant_id) at_work`;
const CLAIM = `UPDATE knowledge_jobs SET status = 'processing', fence = fence + 1, attempts = attempts + 1,
    lease_until = clock_timestamp() + $2 * interval '1 millisecond', claimed_at = clock_timestamp(),
    started_at = coalesce(started_at, $1)
  WHERE number = (
    SELECT j.number FROM knowledge_jobs j JOIN (${TENANTS}) t USING (tenant_id)
    WHERE ${WAITING} AND j.tenant_id <> ALL ($3::text[])
    ORDER BY t.running, t.served_at, j.number LIMIT 1 FOR UPDATE OF j SKIP LOCKED)
  RETURNING *`;

/**
 * Leases by the database's clock. A claim is one statement, which passes by what others are
 * claiming.
 */
export class Claims {
  private readonly pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.pool = pool;
  }

  async claim({ now, leaseMs, except = [] }: ClaimRequest): Promise<ClaimedJob | null> {
    const { rows } = await this.pool.query<JobRow & { embedder: string; dimensions: number | null }>(
      `WITH claimed AS (${CLAIM})
        SELECT claimed.*, stores.embedder, stores.dimensions
        FROM claimed JOIN knowledge_stores stores ON stores.id = claimed.store`,
      [now, leaseMs, except],
    );
    return rows[0] ? toClaimedJob(rows[0], rows[0]) : null;
  }

  async hasOtherWaiting(tenantId: string): Promise<boolean> {
    const { rows } = await this.pool.query(
      `WITH tenants AS (SELECT tenant_id, ${RUNNING} AS running FROM knowledge_jobs WHERE ${OPEN} GROUP BY tenant_id)
        SELECT 1 AS found FROM knowledge_jobs j JOIN tenants t USING (tenant_id)
        WHERE j.tenant_id <> $1 AND ${WAITING} AND t.running < (SELECT running FROM tenants WHERE tenant_id = $1) LIMIT 1`,
      [tenantId],
    );
    return rows.length > 0;
  }

  async renew({ jobId, fence }: Lease, leaseMs: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `UPDATE knowledge_jobs SET lease_until = clock_timestamp() + $3 * interval '1 millisecond'
        WHERE job_id = $1 AND fence = $2 AND status = 'processing'`,
      [jobId, fence, leaseMs],
    );
    return rowCount === 1;
  }

  async release({ jobId, fence }: Lease, hasFailed: boolean): Promise<void> {
    await this.pool.query(
      `UPDATE knowledge_jobs SET lease_until = '-infinity', attempts = CASE $3::int WHEN 1 THEN attempts ELSE 0 END
        WHERE job_id = $1 AND fence = $2 AND status = 'processing'`,
      [jobId, fence, hasFailed ? 1 : 0],
    );
  }
}
