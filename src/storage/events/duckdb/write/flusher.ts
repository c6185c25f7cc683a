import type { DuckDBConnection } from '@duckdb/node-api';
import type { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import { findRefused, type Refused, refusalReason, type Single, shredAll, unreadableOf } from '../../shared/refused.ts';
import { isMachineFault } from '../faults.ts';
import { type DuckdbObserver, observedTransaction } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import { addColumns, type ColumnCounts, columnOrder, KINDS, type Layout, readLayout } from '../tables.ts';
import { saveFlushPosition } from './flush-position.ts';
import { insertEvents } from './insert.ts';
import { saveSeenNames } from './known.ts';
import type { Quarantined } from './quarantine.ts';
import { type Shredded, Shredder } from './shred.ts';
import type { Backlog, SpooledBatch } from './spool.ts';

/** Bytes of JSON, some 15,000 events. */
const FLUSH_BYTES = 4 * 1024 * 1024;
const LEAST_FLUSH_BYTES = 1024 * 1024;

export interface FlusherParts extends Omit<OpenFiles, 'visible'> {
  writing: Mutex;
}

export interface Flushed {
  position: number;
  events: number;
  ms: number;
  /** When the first batch arrived, in epoch milliseconds. */
  oldestArrival: number;
  backlog: Backlog;
}

/** Runs in the transaction that inserts the events. */
type MarkFlushed = (connection: DuckDBConnection) => Promise<unknown>;

export class Flusher {
  private readonly parts: FlusherParts;
  private readonly observer: DuckdbObserver;
  private table: { columns: string[]; layout: Layout } | null = null;
  /** Quarantined by a failed flush: its retry must not repeat them. */
  private readonly recentlyQuarantined = new Set<string>();

  constructor(parts: FlusherParts, observer: DuckdbObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /**
   * Flushes batches after the position. `onFlushed` gets null if there are none; while it runs,
   * nothing else changes the position.
   */
  flushAfter(position: () => number, onFlushed: (flushed: Flushed | null) => void): Promise<void> {
    return this.parts.writing.runExclusive(async () => {
      const { spool, memoryShare } = this.parts;
      const batches = spool.readAfter(position(), Math.max(LEAST_FLUSH_BYTES, FLUSH_BYTES * memoryShare));
      const last = batches.at(-1)?.position;
      if (last === undefined) return onFlushed(null);
      const started = performance.now();
      const events = await this.flush(batches, (connection) => saveFlushPosition(connection, spool.id, last));
      this.recentlyQuarantined.clear();
      const ms = performance.now() - started;
      onFlushed({
        position: last,
        events,
        ms,
        oldestArrival: batches[0]!.arrivedAt,
        backlog: { batches: batches.length, bytes: batches.reduce((sum, { size }) => sum + size, 0) },
      });
      await this.parts.database.checkpointIfDue(spool.arrivalAfter(last) !== null);
    });
  }

  /** Reads the tables' columns again before the next flush. */
  forgetTable(): void {
    this.table = null;
  }

  private async flush(batches: SpooledBatch[], markFlushed: MarkFlushed): Promise<number> {
    const singles = batches.flatMap((batch) => batch.events.map((event, index) => ({ batch, index, event })));
    try {
      const { shredded, refused } = await this.shred(singles);
      this.quarantine([...unreadableOf(batches), ...refused]);
      try {
        await this.insert(shredded, singles, markFlushed);
        return shredded.rows.length;
      } catch (error) {
        if (isMachineFault(error)) throw error;
        this.observer.onFault(error);
        return await this.flushWithoutRefused(singles, markFlushed);
      }
    } catch (error) {
      this.table = null;
      this.parts.catalogue.clear();
      throw error;
    } finally {
      // After an error too: a failed commit may have succeeded.
      for (const { tenantId, events } of batches) this.parts.changes.changed(tenantId, events);
    }
  }

  private async flushWithoutRefused(singles: SpooledEvent[], markFlushed: MarkFlushed): Promise<number> {
    const found = await findRefused(singles, (some) => this.refusal(some));
    this.quarantine(found);
    const refused = new Set(found.map(({ content }) => content));
    const accepted = singles.filter(({ event }) => !refused.has(event));
    // The names that trials have noted are not saved.
    this.parts.catalogue.clear();
    const { shredded } = await this.shred(accepted);
    await this.insert(shredded, accepted, markFlushed);
    return shredded.rows.length;
  }

  private async shred(singles: SpooledEvent[]): Promise<{ shredded: Shredded; refused: Refused<SpooledBatch>[] }> {
    const { catalogue, database } = this.parts;
    await catalogue.load(database.writer, tenantsOf(singles));
    const shredder = new Shredder();
    const refused = shredAll(singles, catalogue, shredder);
    return { shredded: shredder.finish(), refused };
  }

  /** One transaction for the events, the flush position and the catalogue's changes. */
  private async insert(shredded: Shredded, singles: SpooledEvent[], markFlushed: MarkFlushed): Promise<void> {
    const { catalogue, database, kept } = this.parts;
    const tenantIds = tenantsOf(singles);
    const columns = await this.columnsOfTable(catalogue.columnsNeeded(tenantIds));
    const onCommitted = await observedTransaction(
      database.write,
      'flush',
      this.observer,
      async (connection) => {
        await insertEvents(connection, shredded, columns);
        await saveSeenNames(connection, shredded.seenNames);
        const saved = await catalogue.save(connection, tenantIds);
        await markFlushed(connection);
        return saved;
      },
      (commit) =>
        kept.append(
          tenantIds.map((tenantId) => catalogue.tenant(tenantId)),
          shredded,
          commit,
        ),
    );
    onCommitted();
  }

  private quarantine(refused: Refused<SpooledBatch>[]): void {
    const at = new Date().toISOString();
    const entries = refused.map(({ batch: { tenantId }, content, error }) => {
      return { at, tenantId, reason: refusalReason(error), content };
    });
    const identity = ({ tenantId, content }: Quarantined) => JSON.stringify([tenantId, content]);
    const found = entries.filter((entry) => !this.recentlyQuarantined.has(identity(entry)));
    if (found.length === 0) return;
    this.parts.quarantine.add(found);
    for (const entry of found) this.recentlyQuarantined.add(identity(entry));
    this.observer.onNotice({ kind: 'quarantined', events: found.length });
  }

  /** Null if the engine accepts the events. The trial is rolled back. */
  private async refusal(singles: SpooledEvent[]): Promise<unknown> {
    const rollback = new Error('Only tried.');
    try {
      const { shredded } = await this.shred(singles);
      await this.insert(shredded, singles, () => Promise.reject(rollback));
      return null;
    } catch (error) {
      if (isMachineFault(error)) throw error;
      return error === rollback ? null : error;
    }
  }

  private async columnsOfTable(needed: ColumnCounts): Promise<string[]> {
    this.table ??= await this.readTable();
    const { layout } = this.table;
    if (KINDS.some((kind) => needed[kind] > layout.columns[kind])) {
      await addColumns(this.parts.database.write, layout.columns, needed);
      this.table = await this.readTable();
    }
    return this.table.columns;
  }

  private async readTable(): Promise<{ columns: string[]; layout: Layout }> {
    const { writer } = this.parts.database;
    return { layout: await readLayout(writer), columns: await columnOrder(writer) };
  }
}

type SpooledEvent = Single<SpooledBatch>;

function tenantsOf(singles: SpooledEvent[]): string[] {
  return [...new Set(singles.map(({ batch }) => batch.tenantId))];
}
