import type { DuckDBConnection } from '@duckdb/node-api';
import type { Mutex } from '../../../../core/base/concurrency/mutex.ts';
import { isMachineFault } from '../faults.ts';
import { observedTransaction, type StoreObserver } from '../observer.ts';
import type { OpenFiles } from '../open-files.ts';
import { addColumns, columnOrder, KINDS, type Layout, readLayout } from '../tables.ts';
import { saveFlushPosition } from './flush-position.ts';
import { insertEvents } from './insert.ts';
import { addSeenNames } from './known.ts';
import type { Quarantined } from './quarantine.ts';
import { type Shredded, shred } from './shred.ts';
import type { Backlog, SpooledBatch } from './spool.ts';

/** Bytes of JSON, some 15,000 events. */
const FLUSH_BYTES = 4 * 1024 * 1024;

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
  private readonly observer: StoreObserver;
  private table: { columns: string[]; layout: Layout } | null = null;
  /** Quarantined by a failed flush: its retry must not repeat them. */
  private readonly recentlyQuarantined = new Set<string>();

  constructor(parts: FlusherParts, observer: StoreObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /**
   * Flushes batches after the position. `onFlushed` gets null if there are none; while it runs,
   * nothing else changes the position.
   */
  flushAfter(position: () => number, onFlushed: (flushed: Flushed | null) => void): Promise<void> {
    return this.parts.writing.runExclusive(async () => {
      const { spool } = this.parts;
      const batches = spool.readAfter(position(), FLUSH_BYTES);
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
      await this.parts.database.checkpointIfDue();
    });
  }

  /** Reads the tables' columns again before the next flush. */
  forgetTable(): void {
    this.table = null;
  }

  private async flush(batches: SpooledBatch[], markFlushed: MarkFlushed): Promise<number> {
    try {
      const { shredded, unreadable } = shred(this.parts.catalogue, batches);
      this.quarantine([
        ...batches.flatMap(unreadableBatch),
        ...unreadable.map(({ batch, event, error }) => quarantined(batch.tenantId, event, error)),
      ]);
      try {
        await this.insert(shredded, markFlushed);
        return shredded.events.length;
      } catch (error) {
        if (isMachineFault(error)) throw error;
        this.observer.onFault(error);
        return await this.flushWithoutRefused(batches, markFlushed);
      }
    } catch (error) {
      this.table = null;
      throw error;
    } finally {
      // After an error too: a failed commit may have succeeded.
      for (const { tenantId, events } of batches) this.parts.changes.changed(tenantId, events);
    }
  }

  /** Finds the refused events by bisection. */
  private async flushWithoutRefused(batches: SpooledBatch[], markFlushed: MarkFlushed): Promise<number> {
    const singles = batches.flatMap((batch) => batch.events.map((event) => ({ ...batch, events: [event] })));
    const refused = new Map<SpooledBatch, unknown>();
    await this.findRefused(singles, refused);
    const accepted = singles.filter((single) => !refused.has(single));
    this.quarantine([...refused].map(([single, error]) => quarantined(single.tenantId, single.events[0], error)));
    const { shredded } = shred(this.parts.catalogue, accepted);
    await this.insert(shredded, markFlushed);
    return shredded.events.length;
  }

  /** One transaction for the events, the flush position and the catalogue's changes. */
  private async insert(shredded: Shredded, markFlushed: MarkFlushed): Promise<void> {
    const { catalogue, database } = this.parts;
    const columns = await this.columnsOfTable();
    const onCommitted = await observedTransaction(database.write, 'flush', this.observer, async (connection) => {
      await insertEvents(connection, shredded, columns);
      await addSeenNames(connection, shredded.seenNames);
      const saved = await catalogue.save(connection);
      await markFlushed(connection);
      return saved;
    });
    onCommitted();
  }

  private quarantine(entries: Quarantined[]): void {
    const identity = ({ tenantId, content }: Quarantined) => JSON.stringify([tenantId, content]);
    const found = entries.filter((entry) => !this.recentlyQuarantined.has(identity(entry)));
    if (found.length === 0) return;
    this.parts.quarantine.add(found);
    for (const entry of found) this.recentlyQuarantined.add(identity(entry));
    this.observer.onNotice({ kind: 'quarantined', events: found.length });
  }

  private async findRefused(singles: SpooledBatch[], refused: Map<SpooledBatch, unknown>): Promise<void> {
    const error = await this.refusal(shred(this.parts.catalogue, singles).shredded);
    if (error === null || singles.length === 0) return;
    if (singles.length === 1) {
      refused.set(singles[0]!, error);
      return;
    }
    const middle = Math.ceil(singles.length / 2);
    await this.findRefused(singles.slice(0, middle), refused);
    await this.findRefused(singles.slice(middle), refused);
  }

  /** Null if the engine accepts the events. The trial is rolled back. */
  private async refusal(shredded: Shredded): Promise<unknown> {
    const rollback = new Error('Only tried.');
    try {
      await this.insert(shredded, () => Promise.reject(rollback));
      return null;
    } catch (error) {
      if (isMachineFault(error)) throw error;
      return error === rollback ? null : error;
    }
  }

  private async columnsOfTable(): Promise<string[]> {
    const needed = this.parts.catalogue.columnsNeeded();
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

function unreadableBatch({ tenantId, unreadable }: SpooledBatch): Quarantined[] {
  return unreadable === undefined ? [] : [quarantined(tenantId, unreadable, new Error('The batch is not JSON.'))];
}

function quarantined(tenantId: string, content: unknown, error: unknown): Quarantined {
  const reason = error instanceof Error ? error.message : String(error);
  return { at: new Date().toISOString(), tenantId, reason, content };
}
