import type { Erasure, StoredEvent } from '../../../core/events/store.ts';
import type { PostgresClient, PostgresPool } from '../../postgres/pool.ts';
import type { Clickhouse } from '../client.ts';
import type { StoreObserver } from '../observer.ts';
import { integer, text } from '../read/literals.ts';
import type { Tables } from '../schema.ts';
import { callerIdKey, claimAgain, forgetKeys, forgetTenant } from './caller-ids.ts';
import type { Flusher } from './flusher.ts';
import { eraseQuarantined } from './quarantine.ts';
import { type Counted, recount, removeNames } from './recount.ts';
import { readTenant } from './spool.ts';

/** `before`: epoch milliseconds. */
export type Removed = Erasure | { before: number };

interface Removal {
  id: number;
  tenantId: string;
  removed: Removed;
  /** Positions of the spool after it are not removed; null: it has not begun. */
  through: number | null;
  events: number;
}

interface RemovalRow {
  id: number;
  tenant_id: string;
  removed: string;
  through: number | null;
  events: number | null;
}

interface RemoverParts {
  pool: PostgresPool;
  clickhouse: Clickhouse;
  tables: Tables;
  flusher: Flusher;
}

/** Requests that are done are kept for those who wait for them. */
const KEPT_MS = 86_400_000;

/**
 * Erasures and expiries, by the node that flushes: nothing becomes visible while events, ids and names are removed. All
 * that wait share one mutation, which rewrites the parts of the table.
 */
export class Remover {
  private readonly parts: RemoverParts;
  private readonly observer: StoreObserver;

  constructor(parts: RemoverParts, observer: StoreObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /** What waits, after all that was appended before it is flushed. */
  async waiting(): Promise<Removal[]> {
    const { rows } = await this.parts.pool.query<RemovalRow>(
      'SELECT id, tenant_id, removed, through, events FROM event_removals WHERE done_at IS NULL ORDER BY id',
    );
    return rows.map((row) => ({
      id: row.id,
      tenantId: row.tenant_id,
      removed: JSON.parse(row.removed) as Removed,
      through: row.through,
      events: row.events ?? 0,
    }));
  }

  /** `through`: everything up to this position is flushed. A crash anywhere repeats what is not done. */
  async run(removals: Removal[], through: number): Promise<void> {
    const begun: Removal[] = [];
    for (const removal of removals) begun.push(removal.through === null ? await this.begin(removal, through) : removal);
    await this.observer.onStage('remove:begun');
    const conditions = await Promise.all(begun.filter(({ events }) => events > 0).map((one) => this.condition(one)));
    const { clickhouse, tables } = this.parts;
    if (conditions.length > 0) {
      // A mutation, and waited for: a lightweight DELETE leaves the rows on disk until they are merged.
      await clickhouse.command(
        `ALTER TABLE ${tables.events} DELETE WHERE ${conditions.map((one) => `(${one})`).join(' OR ')} SETTINGS mutations_sync = 2`,
      );
    }
    await this.observer.onStage('remove:mutated');
    for (const removal of begun) await this.finish(removal);
    await this.observer.onStage('remove:done');
  }

  /** Notes the ids to forget, which the mutation takes away. */
  private async begin(removal: Removal, through: number): Promise<Removal> {
    const { clickhouse, tables } = this.parts;
    const begun = { ...removal, through };
    const { tenantId, removed } = removal;
    const condition = await this.condition(begun);
    const forgetsIds = !('before' in removed) && !isWhole(removed);
    const rows = forgetsIds
      ? await clickhouse.rows<[string]>(`SELECT id FROM ${tables.events} WHERE ${condition}`)
      : [];
    const [counted] = forgetsIds
      ? [[rows.length]]
      : await clickhouse.rows<[number]>(`SELECT count() FROM ${tables.events} WHERE ${condition}`);
    begun.events = counted![0]!;
    const keys = rows.map(([id]) => callerIdKey(tenantId, id));
    await this.parts.flusher.transaction(async (transaction) => {
      // One that was withdrawn meanwhile is not begun.
      const { rowCount } = await transaction.query(
        'UPDATE event_removals SET through = $2, keys = $3, events = $4 WHERE id = $1',
        [begun.id, through, Buffer.concat(keys), begun.events],
      );
      if (rowCount === 0) begun.events = 0;
    });
    return begun;
  }

  private async finish(removal: Removal): Promise<void> {
    const { flusher } = this.parts;
    const { id, tenantId, removed } = removal;
    // Of a whole tenant too: after a failure there may be events that were appended after it.
    const counts = removal.events > 0 || isWhole(removed) ? await this.countNames(tenantId) : null;
    const left = isWhole(removed) && counts!.length > 0 ? await this.idsLeft(tenantId) : [];
    await flusher.transaction(async (transaction) => {
      const refused = await this.eraseRefused(transaction, removal);
      if (counts?.length === 0) await removeNames(transaction, tenantId);
      else if (counts) await recount(transaction, tenantId, counts);
      if (isWhole(removed) && counts!.length === 0) {
        await transaction.query('DELETE FROM event_tenants WHERE tenant_id = $1', [tenantId]);
      }
      if (!('before' in removed)) await this.forgetIds(transaction, removal, left);
      await transaction.query('UPDATE event_tenants SET version = version + 1 WHERE tenant_id = $1', [tenantId]);
      await transaction.query(
        `UPDATE event_removals SET done_at = (extract(epoch FROM now()) * 1000)::bigint, keys = NULL, removed = '{}',
          events = events + $2 WHERE id = $1`,
        [id, refused],
      );
      await transaction.query(
        'DELETE FROM event_removals WHERE done_at < (extract(epoch FROM now()) * 1000)::bigint - $1::bigint',
        [KEPT_MS],
      );
    });
    flusher.tenants.forget(tenantId);
  }

  private async forgetIds(
    transaction: PostgresClient,
    { id, tenantId, removed }: Removal,
    left: string[],
  ): Promise<void> {
    if (isWhole(removed)) await forgetTenant(transaction, tenantId);
    else {
      const { rows } = await transaction.query<{ keys: Buffer | null }>(
        'SELECT keys FROM event_removals WHERE id = $1',
        [id],
      );
      const keys = rows[0]?.keys;
      if (keys && keys.length > 0) await forgetKeys(transaction, keys);
    }
    const spooled = await readTenant(transaction, tenantId);
    const ids = spooled.flatMap(({ events }) => events.flatMap(({ event }) => (event.idFromCaller ? [event.id] : [])));
    await claimAgain(
      transaction,
      [...left, ...ids].map((one) => callerIdKey(tenantId, one)),
    );
  }

  /** Also their ids, so that they can be sent again. */
  private async eraseRefused(transaction: PostgresClient, { tenantId, removed }: Removal): Promise<number> {
    if ('before' in removed) {
      await transaction.query('DELETE FROM event_quarantine WHERE tenant_id = $1 AND at < $2', [
        tenantId,
        removed.before,
      ]);
      return 0;
    }
    const erased = await eraseQuarantined(transaction, tenantId, (content) => isOf(content, removed));
    const ids = erased.flatMap(({ id }) => (typeof id === 'string' ? [callerIdKey(tenantId, id)] : []));
    if (ids.length > 0) await forgetKeys(transaction, Buffer.concat(ids));
    return erased.length;
  }

  private async condition({ tenantId, removed, through }: Removal): Promise<string> {
    const number = await this.numberOf(tenantId);
    const bounds = [`tenant = ${number}`, `position <= ${through}`];
    if ('before' in removed) bounds.push(`timestamp < ${integer(removed.before)}`);
    else if ('executionIds' in removed) {
      const ids = removed.executionIds.map(text).join(', ');
      bounds.push(ids === '' ? 'false' : `thread_id IS NULL AND execution_id IN (${ids})`);
    } else if (removed.threadId !== undefined) bounds.push(`thread_id = ${text(removed.threadId)}`);
    return bounds.join(' AND ');
  }

  private async numberOf(tenantId: string): Promise<number> {
    const { rows } = await this.parts.pool.query<{ number: number }>(
      'SELECT number FROM event_tenants WHERE tenant_id = $1',
      [tenantId],
    );
    return rows[0]?.number ?? NOBODY;
  }

  private async countNames(tenantId: string): Promise<Counted[]> {
    const number = await this.numberOf(tenantId);
    return this.parts.clickhouse.rows<Counted>(
      `SELECT agent_id, event_name, count(), min(timestamp), max(timestamp) FROM ${this.parts.tables.events} WHERE tenant = ${number} GROUP BY agent_id, event_name`,
    );
  }

  private async idsLeft(tenantId: string): Promise<string[]> {
    const number = await this.numberOf(tenantId);
    const { clickhouse, tables } = this.parts;
    return (await clickhouse.rows<[string]>(`SELECT id FROM ${tables.events} WHERE tenant = ${number}`)).flat();
  }
}

/** No tenant has this number. */
const NOBODY = 0;

function isWhole(removed: Removed): boolean {
  return !('before' in removed) && !('executionIds' in removed) && removed.threadId === undefined;
}

/** Of a quarantined event, or a batch that is not JSON. */
function isOf(content: unknown, removed: Erasure): boolean {
  if (isWhole(removed)) return true;
  const ids = 'executionIds' in removed ? removed.executionIds : [removed.threadId!];
  // An unreadable batch is removed as a whole if it contains one of the ids.
  if (typeof content === 'string') return ids.some((id) => content.includes(JSON.stringify(id)));
  if (typeof content !== 'object' || content === null) return false;
  const { threadId, executionId } = content as Partial<StoredEvent>;
  if ('executionIds' in removed) return threadId === null && ids.includes(executionId as string);
  return threadId === removed.threadId;
}
