import { hash, randomUUID } from 'node:crypto';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import { RuntimeError } from '../../core/errors.ts';
import type { StoredEvent } from '../../core/events/store.ts';

/** Ids are kept by their hash, so its first byte cuts them into even slices. */
export const ID_SLICES = 256;

/** A batch as one spool row: its tenant and its events that were not duplicates. */
export interface SpooledBatch {
  position: number;
  tenantId: string;
  events: StoredEvent[];
  /** The row as it was found, where it is not JSON; there are no events then. */
  unreadable?: string;
  /** Length of the batch's JSON text; bounds how much one flush takes. */
  size: number;
}

export interface Spooled {
  duplicates: number;
  /** The batch is visible once the flush has passed this position. */
  position: number;
}

/**
 * Where events wait between the 202 and the analytical tables: a SQLite file with one row per batch, durable
 * (synchronous FULL) before `append` returns. SQLite brings framing, recovery of torn writes, and unique caller ids in
 * the same transaction as the batch (docs/decisions/0003-sqlite-spool.md).
 */
export class Spool {
  /** Names this file: positions of another one mean nothing here. */
  readonly id: string;
  private readonly database: Database;
  private readonly insertBatch;
  private readonly insertId;
  private readonly selectAfter;
  private readonly deleteThrough;
  private readonly deleteIds;
  private readonly appendGroup;

  constructor(path: string) {
    this.database = openDatabase(path);
    this.database.exec(`
      CREATE TABLE IF NOT EXISTS spool (id TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS batches (
        position INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, events TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS caller_ids (hash BLOB PRIMARY KEY, arrived_at INTEGER NOT NULL) WITHOUT ROWID;
    `);
    this.id = this.identity();
    this.insertBatch = this.database.prepare<[string, string]>('INSERT INTO batches (tenant_id, events) VALUES (?, ?)');
    this.insertId = this.database.prepare<[Buffer, number, number, number]>(
      // An id beyond the window counts as new, and its window begins again.
      `INSERT INTO caller_ids (hash, arrived_at) VALUES (?, ?)
       ON CONFLICT (hash) DO UPDATE SET arrived_at = ? WHERE arrived_at < ?`,
    );
    this.selectAfter = this.database.prepare<[number], { position: number; tenant_id: string; events: string }>(
      'SELECT position, tenant_id, events FROM batches WHERE position > ? ORDER BY position',
    );
    this.deleteThrough = this.database.prepare<[number]>('DELETE FROM batches WHERE position <= ?');
    this.deleteIds = this.database.prepare<[Buffer, Buffer, number]>(
      'DELETE FROM caller_ids WHERE hash >= ? AND hash < ? AND arrived_at < ?',
    );
    this.appendGroup = this.database.transaction((batches: AppendInput[], now: number, windowMs: number) =>
      batches.map((batch) => this.appendOne(batch, now, windowMs)),
    );
  }

  /** Appends several batches with one fsync. All or none of them are durable. */
  append(batches: AppendInput[], now: number, windowMs: number): Spooled[] {
    try {
      return this.appendGroup.immediate(batches, now, windowMs);
    } catch (error) {
      throw new RuntimeError('unavailable', 'Events cannot be stored at the moment; nothing was stored. Try again.', {
        cause: error,
        retryAfter: 1,
      });
    }
  }

  /** Batches after a position, oldest first, until they hold `maximumSize` characters or more. */
  readAfter(position: number, maximumSize: number): SpooledBatch[] {
    const batches: SpooledBatch[] = [];
    let size = 0;
    for (const row of this.selectAfter.iterate(position)) {
      batches.push({ position: row.position, tenantId: row.tenant_id, size: row.events.length, ...parsed(row.events) });
      size += row.events.length;
      if (size >= maximumSize) break;
    }
    return batches;
  }

  discardThrough(position: number): void {
    this.deleteThrough.run(position);
  }

  /** The position of the newest batch that was ever appended. */
  lastPosition(): number {
    const row = this.database
      .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'batches'")
      .get();
    return row?.seq ?? 0;
  }

  /** Forgets the ids of one slice, of `ID_SLICES`, that arrived before `before`. */
  forgetIds(slice: number, before: number): void {
    const end = slice === ID_SLICES - 1 ? Buffer.alloc(17, 0xff) : Buffer.from([slice + 1]);
    this.deleteIds.run(Buffer.from([slice]), end, before);
  }

  close(): void {
    this.database.close();
  }

  private appendOne(batch: AppendInput, now: number, windowMs: number): Spooled {
    const fresh = batch.events.filter(
      (event) => !event.idFromCaller || this.claimId(batch.tenantId, event.id, now, windowMs),
    );
    const duplicates = batch.events.length - fresh.length;
    if (fresh.length === 0) return { duplicates, position: this.lastPosition() };
    const { lastInsertRowid } = this.insertBatch.run(batch.tenantId, JSON.stringify(fresh));
    return { duplicates, position: Number(lastInsertRowid) };
  }

  private claimId(tenantId: string, id: string, now: number, windowMs: number): boolean {
    const digest = hash('sha256', `${tenantId}\0${id}`, 'buffer').subarray(0, 16);
    return this.insertId.run(digest, now, now, now - windowMs).changes === 1;
  }

  private identity(): string {
    const existing = this.database.prepare<[], { id: string }>('SELECT id FROM spool').get();
    if (existing) return existing.id;
    const id = randomUUID();
    this.database.prepare('INSERT INTO spool (id) VALUES (?)').run(id);
    return id;
  }
}

function parsed(text: string): Pick<SpooledBatch, 'events' | 'unreadable'> {
  try {
    return { events: JSON.parse(text) as StoredEvent[] };
  } catch {
    return { events: [], unreadable: text };
  }
}

export interface AppendInput {
  tenantId: string;
  events: StoredEvent[];
}

function openDatabase(path: string): Database {
  const database = new BetterSqlite3(path, { timeout: 5_000 });
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  return database;
}
