import { randomUUID } from 'node:crypto';
import { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import { holdsLease } from '../../../state/postgres/leases.ts';
import type { PostgresClient, PostgresPool } from '../../../state/postgres/pool.ts';
import { findRefused, type Single, shredAll, unreadableOf } from '../../shared/refused.ts';
import { noteAdded } from '../changes.ts';
import type { Clickhouse } from '../client.ts';
import { isRefusal } from '../faults.ts';
import type { ClickhouseObserver } from '../observer.ts';
import { addColumns, type ColumnKind, firstColumns, type Tables } from '../schema.ts';
import { saveNames } from './known.ts';
import { quarantine } from './quarantine.ts';
import { Shredder } from './shred.ts';
import { readBatches, readOldest, SPOOL_NOW_MS, type SpooledBatch } from './spool.ts';
import { FlushTenants } from './tenants.ts';

/** Bytes of JSON, some 30,000 events. */
const FLUSH_BYTES = 8 * 1024 * 1024;

export const FLUSH_LEASE = 'events';

export class LeaseLost extends Error {}

export interface FlusherParts {
  pool: PostgresPool;
  clickhouse: Clickhouse;
  tables: Tables;
}

export interface Flushed {
  events: number;
  /** There is probably more. */
  isFull: boolean;
  /** From the acceptance of the oldest event to its visibility. */
  freshnessMs: number;
}

/** The rows that a flush inserts. */
interface Marked {
  number: number;
  id: string;
  isRetry: boolean;
  batches: SpooledBatch[];
  shredder: Shredder;
}

/**
 * Moves batches from the spool to ClickHouse, exactly once. (1) One transaction names the batches
 * and the columns that they need; from then on the flush has a fixed content. (2) They are inserted
 * under the flush's id, which is the engine's deduplication token and a column. (3) One transaction
 * removes them with what they taught, and makes them visible. After a crash anywhere the same
 * batches go again under the same id, unless they are there.
 */
export class Flusher {
  readonly tenants = new FlushTenants();
  private readonly parts: FlusherParts;
  private readonly observer: ClickhouseObserver;
  private readonly columns = firstColumns();
  private readonly mutex = new Mutex();
  private fence = 0;
  private isPaused = false;

  constructor(parts: FlusherParts, observer: ClickhouseObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /** Null if nothing waits. The caller holds the lease with this fence. */
  flush(fence: number): Promise<Flushed | null> {
    return this.mutex.runExclusive(() => this.flushAlone(fence));
  }

  /** Does nothing while a flush is to be repeated: its events are in the tables, or in part. */
  betweenFlushes(work: () => Promise<void>): Promise<void> {
    return this.mutex.runExclusive(async () => {
      this.isPaused = true;
      try {
        if ((await pending(this.parts.pool)) === undefined) await work();
      } finally {
        this.isPaused = false;
      }
    });
  }

  get isBetweenFlushes(): boolean {
    return this.isPaused;
  }

  private async flushAlone(fence: number): Promise<Flushed | null> {
    if (fence !== this.fence) this.tenants.clear();
    this.fence = fence;
    try {
      const marked = await this.mark();
      if (marked === null) return null;
      await this.observer.onStage('flush:marked');
      await this.insert(marked);
      await this.observer.onStage('flush:inserted');
      const flushed = await this.transaction(fence, (transaction) => this.finish(transaction, marked));
      await this.observer.onStage('flush:done');
      return flushed;
    } catch (error) {
      // Columns that were assigned for this flush are not saved.
      this.tenants.clear();
      throw error;
    }
  }

  /** While it runs, no other node takes the lease. Throws LeaseLost. */
  transaction<Result>(fence: number, use: (transaction: PostgresClient) => Promise<Result>): Promise<Result> {
    return this.parts.pool.transaction(async (transaction) => {
      if (!(await holdsLease(transaction, FLUSH_LEASE, fence))) throw new LeaseLost('Another node flushes.');
      return use(transaction);
    });
  }

  /**
   * Columns are made before the transaction, which is short: it holds the lease, which is renewed
   * meanwhile.
   */
  private async mark(): Promise<Marked | null> {
    const { pool } = this.parts;
    const begun = await pending(pool);
    const batches = begun ? await readBatches(pool, begun.positions.map(Number)) : await readOldest(pool, FLUSH_BYTES);
    if (batches.length === 0 && !begun) return null;
    const tenantIds = batches.map(({ tenantId }) => tenantId);
    await this.tenants.load(pool, tenantIds);
    const shredder = new Shredder();
    const refused = [...shredAll(singlesOf(batches), this.tenants, shredder), ...unreadableOf(batches)];
    await this.makeColumns(tenantIds);
    const flush = await this.transaction(this.fence, async (transaction) => {
      await quarantine(transaction, refused);
      await this.tenants.saveColumns(transaction, tenantIds);
      return begun ?? (await begin(transaction, batches));
    });
    if (refused.length > 0) this.observer.onNotice({ kind: 'quarantined', events: refused.length });
    return { number: flush.number, id: flush.id, isRetry: begun !== undefined, batches, shredder };
  }

  private async insert({ number, id, isRetry, batches, shredder }: Marked): Promise<void> {
    const { clickhouse, tables } = this.parts;
    if (shredder.rows.length === 0) return;
    // The engine forgets tokens, with its power for example.
    if (isRetry && (await this.isThere(number, id))) return;
    const columns = shredder.columnNames.join(', ');
    try {
      await clickhouse.insert(`${tables.events} (${columns})`, shredder.block(number, id), id);
    } catch (error) {
      if (isRefusal(error)) await this.setAside(number, batches, error);
      throw error;
    }
  }

  private async isThere(number: number, id: string): Promise<boolean> {
    const [row] = await this.parts.clickhouse.rows<[number]>(
      `SELECT count() FROM ${this.parts.tables.events} WHERE flush = ${number} AND flush_id = '${id}'`,
    );
    return row![0] > 0;
  }

  /**
   * The flush goes on without the refused events, under another id: a token stands for one content.
   */
  private async setAside(number: number, batches: SpooledBatch[], error: unknown): Promise<void> {
    this.observer.onFault(error);
    let refused = await findRefused(singlesOf(batches), (some) => this.refusal(some));
    // Only the table of events itself refuses them: half of the batches, or the events of the only
    // one.
    const kept = refused.length === 0 ? batches.slice(0, Math.ceil(batches.length / 2)) : batches;
    if (refused.length === 0 && batches.length === 1) {
      refused = batches[0]!.events.map(({ index, event }) => ({ batch: batches[0]!, index, content: event, error }));
    }
    await this.transaction(this.fence, async (transaction) => {
      await quarantine(transaction, refused);
      await transaction.query('UPDATE event_flushes SET id = $2, positions = $3::bigint[] WHERE number = $1', [
        number,
        randomUUID(),
        kept.map(({ position }) => position),
      ]);
    });
    if (refused.length > 0) this.observer.onNotice({ kind: 'quarantined', events: refused.length });
  }

  /** Null if the engine accepts the events, in a table that keeps nothing. */
  private async refusal(singles: Single<SpooledBatch>[]): Promise<unknown> {
    const { clickhouse, tables } = this.parts;
    const shredder = new Shredder();
    shredAll(singles, this.tenants, shredder);
    try {
      await clickhouse.insert(`${tables.trial} (${shredder.columnNames.join(', ')})`, shredder.block(0, ''), null);
      return null;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  private async finish(transaction: PostgresClient, { number, batches, shredder }: Marked): Promise<Flushed> {
    await saveNames(transaction, shredder.seenNames);
    await transaction.query(
      'UPDATE event_tenants SET version = version + 1, flush = $2 WHERE tenant_id = ANY($1::text[])',
      [[...new Set(batches.map(({ tenantId }) => tenantId))], number],
    );
    const added = new Set(shredder.rows.map(({ event }) => event));
    await noteAdded(
      transaction,
      batches.map(({ tenantId, events }) => ({ tenantId, events: events.filter(({ event }) => added.has(event)) })),
    );
    const { rows } = await transaction.query<{ age: number }>(
      `WITH gone AS (DELETE FROM event_spool WHERE position = ANY($1::bigint[]) RETURNING arrived_at)
        SELECT coalesce(${SPOOL_NOW_MS} - min(arrived_at), 0) AS age FROM gone`,
      [batches.map(({ position }) => position)],
    );
    await transaction.query('DELETE FROM event_flushes WHERE number = $1', [number]);
    const bytes = batches.reduce((sum, { size }) => sum + size, 0);
    return { events: shredder.rows.length, isFull: bytes >= FLUSH_BYTES / 2, freshnessMs: Math.max(0, rows[0]!.age) };
  }

  private async makeColumns(tenantIds: string[]): Promise<void> {
    for (const kind of Object.keys(this.columns) as ColumnKind[]) {
      const needed = Math.max(0, ...tenantIds.map((tenantId) => this.tenants.tenant(tenantId).columns.used(kind)));
      const present = this.columns[kind];
      if (needed > present) this.columns[kind] = await addColumns(this.parts.clickhouse, kind, { present, needed });
    }
  }
}

function singlesOf(batches: SpooledBatch[]): Single<SpooledBatch>[] {
  return batches.flatMap((batch) => batch.events.map(({ index, event }) => ({ batch, index, event })));
}

/** The flush that was not finished. */
async function pending(client: PostgresClient) {
  const { rows } = await client.query<{ number: number; id: string; positions: string[] }>(
    'SELECT number, id, positions FROM event_flushes ORDER BY number LIMIT 1',
  );
  return rows[0];
}

async function begin(transaction: PostgresClient, batches: SpooledBatch[]): Promise<{ number: number; id: string }> {
  const id = randomUUID();
  const { rows } = await transaction.query<{ number: number }>(
    'INSERT INTO event_flushes (id, positions) VALUES ($1, $2::bigint[]) RETURNING number',
    [id, batches.map(({ position }) => position)],
  );
  return { number: rows[0]!.number, id };
}
