import { setTimeout } from 'node:timers/promises';
import type { Removed } from '../../shared/removed.ts';
import { isAway, isTimeout } from '../faults.ts';
import type { ClickhouseObserver } from '../observer.ts';
import { ofEvents } from '../schema.ts';
import { callerIdKey } from './caller-ids.ts';
import { type Flusher, type FlusherParts, LeaseLost } from './flusher.ts';
import type { Receipts } from './receipts.ts';
import { countRows, endRemoval, idsOf, type Removal, tenantStateOf } from './removal-end.ts';
import { hasIdsToForget, joined, removalConditions } from './removal-requests.ts';

/** A removal that has begun. */
interface Begun extends Removal {
  through: number;
  /** The rows that it still has to remove. */
  conditions: string[];
}

interface RemoverParts extends FlusherParts {
  flusher: Flusher;
  receipts: Receipts;
}

/** Removals in one step, and mutations at once. */
const REMOVALS = 500;
const STATEMENTS = 16;
/** Requests that have not begun are withdrawn as soon. */
const VISIBLE_MS = 30_000;
/** A mutation may take hours: it is not waited for longer. */
const SHORT_MS = 500;
/** So often a mutation is looked for whose answer is not waited for here. */
const MUTATION_POLL_MS = 1_000;
/**
 * After its first failure a removal waits twice as long, after each further one twice as long
 * again.
 */
const RETRY_MS = 500;
const MAX_RETRY_MS = 300_000;

/**
 * Erasures and expiries, by the node that flushes; flushes go on. All that wait share a
 * mutation, which rewrites the parts of the table. A removal is done when no row of it is found: a
 * crash anywhere repeats what is not done.
 */
export class Remover {
  private readonly parts: RemoverParts;
  private readonly observer: ClickhouseObserver;
  private mutations = 0;
  private mutatedUntil = 0;
  /** Removals that failed, by their id: each goes on later, with a statement of its own. */
  private readonly failed = new Map<number, { times: number; until: number }>();

  constructor(parts: RemoverParts, observer: ClickhouseObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /**
   * One step; returns whether another one may find more to do. The caller holds the lease with this
   * fence.
   */
  async run(fence: number): Promise<boolean> {
    const isMutating = await this.isMutating();
    const removals = await this.waiting(isMutating);
    const canBegin = removals.some(isFresh) && (await this.isVisible());
    const left: Begun[] = [];
    await this.each(removals, async (removal) => {
      if (isFresh(removal) && !canBegin) return;
      const begun = isFresh(removal) ? await this.begin(removal, fence) : await this.remaining(removal);
      if (begun?.conditions.length === 0) await this.finish(begun, fence);
      else if (begun) left.push(begun);
    });
    if (left.length === 0 || isMutating) return false;
    await this.observer.onStage('remove:begun');
    const mutated = Promise.all(this.mutate(left)).then(() => true);
    return Promise.race([mutated, setTimeout(SHORT_MS, false, { ref: false })]);
  }

  /** True also for a mutation of another node, or one whose answer did not arrive. */
  private async isMutating(): Promise<boolean> {
    if (this.mutations > 0 || performance.now() < this.mutatedUntil) return true;
    const { clickhouse } = this.parts;
    const [row] = await clickhouse.rows<[number]>(
      `SELECT count() FROM system.mutations WHERE ${ofEvents(clickhouse, 'table')} AND NOT is_done`,
    );
    if (row![0] > 0) this.mutatedUntil = performance.now() + MUTATION_POLL_MS;
    return row![0] > 0;
  }

  private async waiting(isMutating: boolean): Promise<Removal[]> {
    const now = performance.now();
    const postponed = [...this.failed].filter(([, { until }]) => now < until).map(([id]) => id);
    const { rows } = await this.parts.pool.query<Omit<Removal, 'removed'> & { removed: string }>(
      `SELECT id, tenant_id AS "tenantId", removed, through, coalesce(events, 0) AS events FROM event_removals
        WHERE done_at IS NULL AND id <> ALL($1::bigint[]) ${isMutating ? 'AND through IS NULL' : ''} ORDER BY id LIMIT ${REMOVALS}`,
      [postponed],
    );
    return rows.map((row) => ({ ...row, removed: JSON.parse(row.removed) as Removed }));
  }

  /** Whether all that was appended before is flushed, also batches that are not committed yet. */
  private async isVisible(): Promise<boolean> {
    const { rows } = await this.parts.pool.query<{ last_value: number }>(
      'SELECT last_value FROM event_spool_position_seq',
    );
    return this.parts.receipts.wait(rows[0]!.last_value, VISIBLE_MS);
  }

  /** A removal that fails does not stop the others. */
  private async each(removals: Removal[], work: (removal: Removal) => Promise<void>): Promise<void> {
    for (const removal of removals) {
      try {
        await work(removal);
      } catch (error) {
        if (error instanceof LeaseLost || isAway(error)) throw error;
        this.postpone([removal], error);
      }
    }
  }

  private postpone(removals: Removal[], error: unknown): void {
    this.onFault(error);
    for (const { id } of removals) {
      const times = (this.failed.get(id)?.times ?? 0) + 1;
      this.failed.set(id, { times, until: performance.now() + Math.min(MAX_RETRY_MS, RETRY_MS * 2 ** times) });
    }
  }

  private onFault(error: unknown): void {
    if (!this.parts.clickhouse.isClosed) this.observer.onFault(error);
  }

  /** Notes the ids to forget, which the mutation takes away. Null if it was withdrawn. */
  private async begin(removal: Removal, fence: number): Promise<Begun | null> {
    const { number, flush } = await tenantStateOf(this.parts.pool, removal.tenantId);
    const { id, tenantId, removed } = removal;
    const conditions = removalConditions(removed, number, flush);
    const keys: Buffer[] = [];
    let events = 0;
    for (const condition of conditions) {
      if (!hasIdsToForget(removed)) events += await countRows(this.parts, condition);
      else for (const one of await idsOf(this.parts, condition)) keys.push(callerIdKey(tenantId, one));
    }
    events += keys.length;
    const { rowCount } = await this.parts.flusher.transaction(fence, (transaction) =>
      transaction.query('UPDATE event_removals SET through = $2, keys = $3, events = $4 WHERE id = $1', [
        id,
        flush,
        Buffer.concat(keys),
        events,
      ]),
    );
    return rowCount === 0 ? null : { ...removal, through: flush, events, conditions: events > 0 ? conditions : [] };
  }

  private async remaining(removal: Removal): Promise<Begun> {
    const through = removal.through!;
    const { number } = await tenantStateOf(this.parts.pool, removal.tenantId);
    const conditions: string[] = [];
    for (const condition of removalConditions(removal.removed, number, through)) {
      if ((await countRows(this.parts, condition)) > 0) conditions.push(condition);
    }
    return { ...removal, through, conditions };
  }

  /** Removals that failed before have statements of their own, as they may have been the cause. */
  private mutate(removals: Begun[]): Promise<void>[] {
    const together = removals.filter(({ id }) => !this.failed.has(id));
    const groups = [together, ...removals.filter(({ id }) => this.failed.has(id)).map((one) => [one])];
    const statements = groups.flatMap((group) =>
      joined(
        group.flatMap(({ conditions }) => conditions.map((condition) => `(${condition})`)),
        ' OR ',
      ).map((condition) => ({ group, condition })),
    );
    return statements.slice(0, STATEMENTS).map(({ group, condition }) => this.remove(group, condition));
  }

  private async remove(removals: Begun[], condition: string): Promise<void> {
    const { clickhouse, tables } = this.parts;
    this.mutations += 1;
    try {
      // A mutation, and of all replicas: a lightweight DELETE leaves the rows on disk until they
      // are merged.
      await clickhouse.command(`ALTER TABLE ${tables.events} DELETE WHERE ${condition} SETTINGS mutations_sync = 2`);
      await this.observer.onStage('remove:mutated');
    } catch (error) {
      // The mutation may go on; if not, it is started again.
      this.mutatedUntil = performance.now() + MUTATION_POLL_MS;
      if (isAway(error) || isTimeout(error)) this.onFault(error);
      else this.postpone(removals, error);
    } finally {
      this.mutations -= 1;
    }
  }

  private async finish(removal: Removal, fence: number): Promise<void> {
    await endRemoval(this.parts, removal, fence);
    this.failed.delete(removal.id);
    await this.observer.onStage('remove:done');
  }
}

function isFresh({ through }: Removal): boolean {
  return through === null;
}
