import type { Mutex } from '../../../core/shared/mutex.ts';
import type { AnalyticsDatabase } from '../database.ts';
import { isOfTheMachine } from '../faults.ts';
import type { StoreObserver } from '../observer.ts';
import type { ResultCache } from '../read/result-cache.ts';
import { addColumns, columnOrder, type Layout, readLayout } from '../tables.ts';
import { earlierEvents } from '../upkeep/migrate.ts';
import type { Catalogue } from './catalogue.ts';
import { type Finish, moveToTables, savePosition } from './flush.ts';
import type { Quarantine, Quarantined } from './quarantine.ts';
import { type Shredded, shred } from './shred.ts';
import type { Backlog, Spool, SpooledBatch } from './spool.ts';

/** How much one flush takes, in bytes of JSON: some 15,000 events. What arrives meanwhile waits for its end. */
const FLUSH_SIZE = 4 * 1024 * 1024;

export interface FlusherParts {
  database: AnalyticsDatabase;
  spool: Spool;
  catalogue: Catalogue;
  quarantine: Quarantine;
  resultCache: ResultCache;
  /** Who may use the writing connection. */
  writing: Mutex;
}

/** What a flush did. */
export interface Flushed {
  /** The last position that is visible now. */
  position: number;
  events: number;
  ms: number;
  /** When the first of its batches was accepted, epoch milliseconds. */
  oldestArrival: number;
  /** What it took from the backlog. */
  backlog: Backlog;
}

/** Moves what is spooled into the analytical tables, in the spool's order. */
export class Flusher {
  private readonly parts: FlusherParts;
  private readonly observer: StoreObserver;
  private table: { columns: string[]; layout: Layout } | null = null;
  /** What was set aside by a flush that has not succeeded since: the next attempt finds it again. */
  private readonly recentlyQuarantined = new Set<string>();

  constructor(parts: FlusherParts, observer: StoreObserver) {
    this.parts = parts;
    this.observer = observer;
  }

  /** Takes in what an earlier version left. */
  async importVersion1(): Promise<void> {
    const { writing, database } = this.parts;
    await writing.runExclusive(async () => {
      for (
        let earlier = await earlierEvents(database.writer);
        earlier;
        earlier = await earlierEvents(database.writer)
      ) {
        const { batches, remove } = earlier;
        await this.move(batches, () => database.writer.run(remove));
        if (batches.length === 0) return;
      }
    });
  }

  /** Moves the next batches after a position; null when there are none. */
  flushAfter(position: number): Promise<Flushed | null> {
    return this.parts.writing.runExclusive(async () => {
      const { spool } = this.parts;
      const batches = spool.readAfter(position, FLUSH_SIZE);
      const last = batches.at(-1)?.position;
      if (last === undefined) return null;
      const started = performance.now();
      const events = await this.move(batches, (connection) => savePosition(connection, spool.id, last));
      this.recentlyQuarantined.clear();
      const ms = performance.now() - started;
      await this.parts.database.checkpointIfDue();
      return {
        position: last,
        events,
        ms,
        oldestArrival: batches[0]!.arrivedAt,
        backlog: { batches: batches.length, bytes: batches.reduce((sum, { size }) => sum + size, 0) },
      };
    });
  }

  /**
   * Gives frequent paths that found no room a column, from the next epoch on. Nothing else may change the tables
   * meanwhile. The catalogue says so before the tables do: until then it sends readers to the JSON, which is right.
   */
  async relearn(): Promise<void> {
    const { catalogue, database } = this.parts;
    const next = (await readLayout(database.writer)).epoch + 1;
    const changed = [...catalogue.mayRelearn()].filter((paths) => paths.relearn(next));
    if (changed.length === 0) return;
    await this.tableWithRoom();
    const committed = await database.write((connection) => catalogue.save(connection));
    committed();
    this.table = null;
  }

  private async move(batches: SpooledBatch[], finish: Finish): Promise<number> {
    try {
      const { shredded, unreadable } = shred(this.parts.catalogue, batches);
      this.setAside([
        ...batches.flatMap(unreadableBatch),
        ...unreadable.map(({ batch, event, error }) => quarantined(batch.tenantId, event, error)),
      ]);
      try {
        await this.store(shredded, finish);
        return shredded.events.length;
      } catch (error) {
        if (isOfTheMachine(error)) throw error;
        this.observer.onFault(error);
        return await this.moveWithoutRefused(batches, finish);
      }
    } catch (error) {
      this.table = null;
      throw error;
    } finally {
      // Also after an error: a commit may have failed and happened all the same.
      for (const { tenantId } of batches) this.parts.resultCache.changed(tenantId);
    }
  }

  /** Finds by trial which events the engine refuses, sets these aside, and moves the others. */
  private async moveWithoutRefused(batches: SpooledBatch[], finish: Finish): Promise<number> {
    const { catalogue } = this.parts;
    const singles = batches.flatMap((batch) => batch.events.map((event) => ({ ...batch, events: [event] })));
    const refused = new Map<SpooledBatch, unknown>();
    await this.findRefused(singles, refused);
    const good = singles.filter((single) => !refused.has(single));
    this.setAside([...refused].map(([single, error]) => quarantined(single.tenantId, single.events[0], error)));
    const { shredded } = shred(catalogue, good);
    await this.store(shredded, finish);
    return shredded.events.length;
  }

  private async store(shredded: Shredded, finish: Finish): Promise<void> {
    const { catalogue, database } = this.parts;
    const table = await this.tableWithRoom();
    const move = { shredded, catalogue, table, finish };
    const { learned } = await moveToTables(database.write, move, (stage) => this.observer.onStage(stage));
    if (learned) this.table = null;
  }

  private setAside(entries: Quarantined[]): void {
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

  /** Why the engine would not take these; null when it would. Nothing is stored. */
  private async refusal(shredded: Shredded): Promise<unknown> {
    const trial = new Error('Only tried.');
    try {
      await this.store(shredded, () => Promise.reject(trial));
      return null;
    } catch (error) {
      if (isOfTheMachine(error)) throw error;
      return error === trial ? null : error;
    }
  }

  /** The columns of `hot`, with as many as the tenants need by now. */
  private async tableWithRoom(): Promise<{ columns: string[]; epoch: number }> {
    const { writer } = this.parts.database;
    this.table ??= { layout: await readLayout(writer), columns: await columnOrder(writer) };
    const needed = this.parts.catalogue.columnsNeeded();
    const { layout } = this.table;
    if (Object.entries(needed).some(([kind, count]) => count > layout.columns[kind as keyof typeof needed])) {
      await addColumns(this.parts.database.write, layout.columns, needed);
      this.table = { layout: await readLayout(writer), columns: await columnOrder(writer) };
    }
    return { columns: this.table.columns, epoch: this.table.layout.epoch };
  }
}

function unreadableBatch({ tenantId, unreadable }: SpooledBatch): Quarantined[] {
  return unreadable === undefined ? [] : [quarantined(tenantId, unreadable, new Error('The batch is not JSON.'))];
}

function quarantined(tenantId: string, content: unknown, error: unknown): Quarantined {
  const reason = error instanceof Error ? error.message : String(error);
  return { at: new Date().toISOString(), tenantId, reason, content };
}
