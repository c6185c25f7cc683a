import type { Admission, BegunCount, EventCounts } from '../../../../core/limits/quotas/event-counts.ts';
import { NOW_MS } from '../clock.ts';
import type { PostgresClient } from '../pool.ts';

/** Longer than a request may take: its node has died, or has not told what became of it. */
const ABANDONED_MS = 300_000;

const ADMIT = `WITH fit AS (
    UPDATE event_counts SET admitted = admitted + $2::bigint
    WHERE tenant_id = $1 AND counted_at IS NOT NULL AND stored + admitted + $2::bigint <= $3::bigint
    RETURNING tenant_id, stored, admitted
  ), made AS (
    INSERT INTO event_admissions (tenant_id, events, at) SELECT tenant_id, $2::bigint, ${NOW_MS} FROM fit RETURNING id
  )
  SELECT made.id, fit.stored, fit.admitted, 0::bigint AS "ageMs" FROM made, fit
  UNION ALL
  SELECT NULL, stored, admitted, ${NOW_MS} - counted_at FROM event_counts
    WHERE tenant_id = $1 AND NOT EXISTS (SELECT 1 FROM fit)`;

const END = `WITH ended AS (DELETE FROM event_admissions WHERE id = $2 RETURNING events)
  UPDATE event_counts SET stored = stored + $3::bigint,
    admitted = greatest(0, admitted - coalesce((SELECT events FROM ended), 0))
  WHERE tenant_id = $1 RETURNING stored`;

const BEGIN_COUNT = `WITH abandoned AS (
    DELETE FROM event_admissions WHERE tenant_id = $1 AND at < ${NOW_MS} - ${ABANDONED_MS} RETURNING events
  )
  INSERT INTO event_counts AS counts (tenant_id, stored, admitted, version) VALUES ($1, 0, 0, 0)
  ON CONFLICT (tenant_id) DO UPDATE
    SET admitted = greatest(0, counts.admitted - (SELECT coalesce(sum(events), 0) FROM abandoned))
  RETURNING stored, version`;

const END_COUNT = `UPDATE event_counts SET stored = $4::bigint + stored - $2::bigint, version = version + 1,
    counted_at = ${NOW_MS}
  WHERE tenant_id = $1 AND version = $3`;

/**
 * At all nodes, exactly. Another statement for each batch, which writes no log and waits for no
 * disk.
 */
export class PostgresEventCounts implements EventCounts {
  private readonly client: PostgresClient;

  constructor(client: PostgresClient) {
    this.client = client;
  }

  async admit(tenantId: string, events: number, limit: number): Promise<Admission> {
    const { rows } = await this.client.query<Omit<Admission, 'ageMs'> & { ageMs: number | null }>(ADMIT, [
      tenantId,
      events,
      limit,
    ]);
    const { id, stored, admitted, ageMs } = rows[0] ?? { id: null, stored: 0, admitted: 0, ageMs: null };
    return { id, stored, admitted, ageMs: ageMs ?? Number.POSITIVE_INFINITY };
  }

  async end(tenantId: string, id: number, { stored }: { stored: number }): Promise<number> {
    const { rows } = await this.client.query<{ stored: number }>(END, [tenantId, id, stored]);
    return rows[0]?.stored ?? 0;
  }

  async beginCount(tenantId: string): Promise<BegunCount> {
    const { rows } = await this.client.query<BegunCount>(BEGIN_COUNT, [tenantId]);
    return rows[0]!;
  }

  async endCount(tenantId: string, { stored, version }: BegunCount, counted: number): Promise<void> {
    await this.client.query(END_COUNT, [tenantId, stored, version, counted]);
  }

  async forget(tenantId: string): Promise<void> {
    await this.client.query('DELETE FROM event_admissions WHERE tenant_id = $1', [tenantId]);
    await this.client.query('DELETE FROM event_counts WHERE tenant_id = $1', [tenantId]);
  }
}
