import { RuntimeError } from '../../../core/shared/errors.ts';
import { MAX_EVENTS_PER_TENANT } from '../../events/known-names.ts';
import type { PostgresClient } from '../../postgres/pool.ts';
import type { Removed } from './removed.ts';
import { NOW_MS } from './spool.ts';

const POLL_MS = 25;
/** A request that nobody has begun is withdrawn, so that it does not remove what comes later. */
const BEGIN_MS = 30_000;
/** A mutation rewrites the parts of a table, which may take minutes. */
const DONE_MS = 600_000;

/** Asks the node that flushes to remove events, and waits for it. */
export class RemovalRequests {
  private readonly pool: PostgresClient;
  private readonly flushing: { wake(): void };
  private closed = false;

  constructor(pool: PostgresClient, flushing: { wake(): void }) {
    this.pool = pool;
    this.flushing = flushing;
  }

  /** Returns the number of removed events. */
  async run(tenantId: string, removed: Removed): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO event_removals (tenant_id, removed, requested_at) VALUES ($1, $2, ${NOW_MS}) RETURNING id`,
      [tenantId, JSON.stringify(removed)],
    );
    const { id } = rows[0]!;
    this.flushing.wake();
    const started = performance.now();
    while (!this.closed) {
      const waited = performance.now() - started;
      const events = await this.done(id);
      if (events !== null) return events;
      if (waited > BEGIN_MS && (await this.withdraw(id))) break;
      if (waited > DONE_MS) break;
      await new Promise((next) => setTimeout(next, POLL_MS));
    }
    throw new RuntimeError('unavailable', 'Events cannot be removed at the moment. Try again.', { retryAfter: 5 });
  }

  /** False if that is certain: names beyond the limit of listed ones are not known. */
  async hasOlder(tenantId: string, before: number): Promise<boolean> {
    const { rows } = await this.pool.query<{ found: number }>(
      `SELECT (EXISTS (SELECT FROM event_names WHERE tenant_id = $1 AND first_seen < $2)
        OR EXISTS (SELECT FROM event_quarantine WHERE tenant_id = $1 AND at < $2)
        OR (SELECT count(*) FROM event_names WHERE tenant_id = $1) >= ${MAX_EVENTS_PER_TENANT})::int AS found`,
      [tenantId, before],
    );
    return rows[0]!.found === 1;
  }

  close(): void {
    this.closed = true;
  }

  private async done(id: number): Promise<number | null> {
    const { rows } = await this.pool.query<{ events: number }>(
      'SELECT events FROM event_removals WHERE id = $1 AND done_at IS NOT NULL',
      [id],
    );
    return rows[0]?.events ?? null;
  }

  private async withdraw(id: number): Promise<boolean> {
    const { rowCount } = await this.pool.query('DELETE FROM event_removals WHERE id = $1 AND through IS NULL', [id]);
    return rowCount === 1;
  }
}
