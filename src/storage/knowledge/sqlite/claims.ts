import type { ClaimedJob, ClaimRequest, Lease } from '../../../core/knowledge/store.ts';
import { toClaimedJob } from '../../state/sql/knowledge-rows.ts';
import type { Statements } from '../../state/sqlite/prepared.ts';
import { type Jobs, OPEN } from './jobs.ts';

/**
 * Not leased, and not behind an earlier upload of the same source. Row ids grow; ids of jobs follow
 * a clock.
 */
const WAITING = `${OPEN} AND (status = 'queued' OR lease_until <= :clock) AND NOT EXISTS (
  SELECT 1 FROM jobs earlier
  WHERE earlier.store = jobs.store AND earlier.source_id = jobs.source_id AND earlier.status IN ('queued', 'processing')
    AND earlier.rowid < jobs.rowid)`;
const RUNNING_JOBS = `SELECT tenant_id, count(*) AS running FROM jobs
  WHERE status = 'processing' AND lease_until > :clock GROUP BY tenant_id`;

interface WaitingRow {
  job_id: string;
  tenant_id: string;
  running: number;
}

export class Claims {
  private readonly statements: Statements;
  private readonly jobs: Jobs;
  private readonly clock: () => number;
  private readonly servedAt = new Map<string, number>();

  constructor(statements: Statements, jobs: Jobs, clock: () => number) {
    this.statements = statements;
    this.jobs = jobs;
    this.clock = clock;
  }

  claim({ now, leaseMs, except = [] }: ClaimRequest): ClaimedJob | null {
    return this.statements.atomically((): ClaimedJob | null => {
      const waiting = this.statements
        .of(
          `SELECT job_id, tenant_id, coalesce(running, 0) AS running FROM jobs LEFT JOIN (${RUNNING_JOBS}) USING (tenant_id)
            WHERE ${WAITING} AND tenant_id NOT IN (SELECT value FROM json_each(:except)) ORDER BY running, jobs.rowid`,
        )
        .all({ clock: this.clock(), except: JSON.stringify(except) }) as WaitingRow[];
      const [first] = waiting;
      if (!first) return null;
      const next = waiting
        .filter(({ running }) => running === first.running)
        .reduce((one, other) => (this.lastServed(other.tenant_id) < this.lastServed(one.tenant_id) ? other : one));
      this.servedAt.set(next.tenant_id, now);
      this.statements
        .of(
          `UPDATE jobs SET status = 'processing', fence = fence + 1, attempts = attempts + 1, lease_until = ?,
            started_at = coalesce(started_at, ?) WHERE job_id = ?`,
        )
        .run(this.clock() + leaseMs, now, next.job_id);
      return this.claimed(next.job_id);
    });
  }

  hasOtherWaiting(tenantId: string): boolean {
    return (
      this.statements
        .of(
          `SELECT 1 FROM jobs LEFT JOIN (${RUNNING_JOBS}) USING (tenant_id) WHERE tenant_id <> :tenantId AND ${WAITING}
            AND coalesce(running, 0) < (SELECT running FROM (${RUNNING_JOBS}) WHERE tenant_id = :tenantId) LIMIT 1`,
        )
        .get({ tenantId, clock: this.clock() }) !== undefined
    );
  }

  renew({ jobId, fence }: Lease, leaseMs: number): boolean {
    const renewed = this.statements.of(
      "UPDATE jobs SET lease_until = ? WHERE job_id = ? AND fence = ? AND status = 'processing'",
    );
    return this.statements.atomicallyUnsynced(() => renewed.run(this.clock() + leaseMs, jobId, fence).changes) === 1;
  }

  release({ jobId, fence }: Lease, hasFailed: boolean): void {
    const released = this.statements.of(
      "UPDATE jobs SET lease_until = 0, attempts = CASE ? WHEN 1 THEN attempts ELSE 0 END WHERE job_id = ? AND fence = ? AND status = 'processing'",
    );
    this.statements.atomicallyUnsynced(() => released.run(hasFailed ? 1 : 0, jobId, fence));
  }

  /**
   * Only when no other store has the database open: the leases are of processes that ended without
   * releasing them.
   */
  releaseAll(): void {
    this.statements.of("UPDATE jobs SET lease_until = 0 WHERE status = 'processing' AND lease_until > 0").run();
  }

  private lastServed(tenantId: string): number {
    return this.servedAt.get(tenantId) ?? 0;
  }

  private claimed(jobId: string): ClaimedJob {
    const row = this.jobs.rowOf(jobId)!;
    const store = this.statements.of('SELECT embedder, dimensions FROM stores WHERE id = ?').get(row.store) as {
      embedder: string;
      dimensions: number | null;
    };
    return toClaimedJob(row, store);
  }
}
