import type { OldestEvents } from '../../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import type { PostgresClient } from '../../../state/postgres/pool.ts';
import { MAX_EVENTS_PER_TENANT } from '../../shared/known-names.ts';
import { isWhole, type Removed } from '../../shared/removed.ts';
import { integer, text } from '../read/literals.ts';
import { SPOOL_NOW_MS } from './spool.ts';

const POLL_MS = 25;
const REMOVAL_LATE_AFTER_MS = 5_000;
const LATE_POLL_MS = 500;
/** A request that no node has begun is withdrawn, so that it does not remove what comes later. */
const BEGIN_MS = 30_000;
/** A mutation rewrites the parts of a table, which may take minutes. */
const DONE_MS = 600_000;

interface Waiter {
  since: number;
  done: (events: number | null) => void;
}

/**
 * Asks the node that flushes to remove events, and waits for it: one statement for all who wait.
 */
export class RemovalRequests {
  private readonly pool: PostgresClient;
  private readonly flushing: { wake(): void };
  private readonly waiters = new Map<number, Waiter>();
  private polling = false;
  private closed = false;

  constructor(pool: PostgresClient, flushing: { wake(): void }) {
    this.pool = pool;
    this.flushing = flushing;
  }

  /** Returns the number of removed events. */
  async run(tenantId: string, removed: Removed): Promise<number> {
    const { rows } = await this.pool.query<{ id: number }>(
      `INSERT INTO event_removals (tenant_id, removed, requested_at) VALUES ($1, $2, ${SPOOL_NOW_MS}) RETURNING id`,
      [tenantId, JSON.stringify(removed)],
    );
    this.flushing.wake();
    const events = await new Promise<number | null>((done) => {
      this.waiters.set(rows[0]!.id, { since: performance.now(), done });
      if (!this.polling) void this.poll();
    });
    if (events !== null) return events;
    throw new RuntimeError('unavailable', 'Events cannot be removed at the moment. Try again.', { retryAfter: 5 });
  }

  /** As of the port. Of a tenant with more names than are listed the earliest event is unknown. */
  async expiring(before: number): Promise<OldestEvents> {
    const { rows } = await this.pool.query<{ tenant_id: string; oldest: number | null }>(
      `SELECT tenant_id, CASE WHEN bool_and(is_known) THEN min(at) END AS oldest FROM
          (SELECT tenant_id, first_seen AS at, true AS is_known FROM event_names WHERE first_seen < $1
            UNION ALL SELECT tenant_id, at, true FROM event_quarantine WHERE at < $1
            UNION ALL (SELECT tenant_id, NULL, false FROM event_names GROUP BY tenant_id HAVING count(*) >= ${MAX_EVENTS_PER_TENANT})) AS found
        GROUP BY tenant_id`,
      [before],
    );
    return Object.fromEntries(rows.map(({ tenant_id, oldest }) => [tenant_id, oldest]));
  }

  close(): void {
    this.closed = true;
  }

  private async poll(): Promise<void> {
    this.polling = true;
    while (this.waiters.size > 0) {
      await this.look().catch(() => this.settle([...this.waiters.keys()], null));
      const areAllLate = this.waitingFor(REMOVAL_LATE_AFTER_MS).length === this.waiters.size;
      await new Promise((next) => setTimeout(next, areAllLate && !this.closed ? LATE_POLL_MS : POLL_MS));
    }
    this.polling = false;
  }

  private async look(): Promise<void> {
    const { rows } = await this.pool.query<{ id: number; events: number }>(
      'SELECT id, events FROM event_removals WHERE id = ANY($1::bigint[]) AND done_at IS NOT NULL',
      [[...this.waiters.keys()]],
    );
    for (const { id, events } of rows) this.settle([id], events);
    const late = this.waitingFor(BEGIN_MS);
    if (late.length > 0) {
      const withdrawn = await this.pool.query<{ id: number }>(
        'DELETE FROM event_removals WHERE id = ANY($1::bigint[]) AND through IS NULL RETURNING id',
        [late],
      );
      this.settle(
        withdrawn.rows.map(({ id }) => id),
        null,
      );
    }
    this.settle(this.waitingFor(this.closed ? 0 : DONE_MS), null);
  }

  private waitingFor(ms: number): number[] {
    const since = performance.now() - ms;
    return [...this.waiters].filter(([, waiter]) => waiter.since <= since).map(([id]) => id);
  }

  private settle(ids: number[], events: number | null): void {
    for (const id of ids) {
      this.waiters.get(id)?.done(events);
      this.waiters.delete(id);
    }
  }
}

/** ClickHouse refuses statements above 256 KiB by default (`max_query_size`). */
const STATEMENT_BYTES = 200_000;

/** Whether ids count as new afterwards. An id outlives an event that expires. */
export function hasIdsToForget(removed: Removed): boolean {
  return !('before' in removed) && !isWhole(removed);
}

/**
 * Conditions on a tenant's events up to a flush. An event meets one at most; each fits into
 * a statement.
 */
export function removalConditions(removed: Removed, tenant: number, flush: number): string[] {
  const bounds = `tenant = ${tenant} AND flush <= ${flush}`;
  if ('before' in removed) return [`${bounds} AND timestamp < ${integer(removed.before)}`];
  if ('threadPrefix' in removed) return [`${bounds} AND startsWith(thread_id, ${text(removed.threadPrefix)})`];
  const isOneOf = (column: string, ids: string[]) =>
    joined([...new Set(ids)].map(text), ', ').map((some) => `${bounds} AND ${column} IN (${some})`);
  if ('threadIds' in removed) return isOneOf('thread_id', removed.threadIds);
  if ('executionIds' in removed) {
    return isOneOf(removed.inAnyThread ? 'execution_id' : 'thread_id IS NULL AND execution_id', removed.executionIds);
  }
  return [removed.threadId === undefined ? bounds : `${bounds} AND thread_id = ${text(removed.threadId)}`];
}

/** Joins the texts into as few as fit into a statement. */
export function joined(texts: string[], separator: string): string[] {
  const all: string[] = [];
  for (const one of texts) {
    const last = all.at(-1);
    if (last === undefined || last.length + one.length > STATEMENT_BYTES) all.push(one);
    else all[all.length - 1] = last + separator + one;
  }
  return all;
}
