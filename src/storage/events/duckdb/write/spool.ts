import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import BetterSqlite3, { type Database } from 'better-sqlite3';
import type { StoredEvent } from '../../../../core/analytics/events/store.ts';
import { RuntimeError } from '../../../../core/base/shared/errors.ts';
import { markInstallation } from '../../../state/sqlite/identity.ts';
import { SqliteWriter } from '../../../state/sqlite/writer.ts';
import type { SpooledAppend } from '../../shared/append-queue.ts';
import { type PackedBatch, unpacked, without } from '../../shared/packed-batch.ts';
import { type CleanClose, forgetCleanClose, noteCleanClose } from '../clean-close.ts';
import type { Stage } from '../observer.ts';
import { CallerIds } from './caller-ids.ts';

export interface SpooledBatch {
  position: number;
  tenantId: string;
  events: StoredEvent[];
  /** Epoch milliseconds. */
  arrivedAt: number;
  /** The row's text if it is not a JSON array; there are no events then. */
  unreadable?: string;
  /** Bytes of JSON. */
  size: number;
}

/** Batches that are not in the tables yet; bytes are those of their JSON. */
export interface Backlog {
  batches: number;
  bytes: number;
}

interface SpoolOptions {
  onStage?: (stage: Stage) => void;
  installationId?: string | undefined;
}

interface BatchRow {
  position: number;
  tenant_id: string;
  arrived_at: number;
  events: string;
  size: number;
}

/** Write-ahead spool, durable when `append` resolves (docs/decisions/0003-sqlite-spool.md). */
export class Spool {
  /** Positions of another spool do not apply. */
  readonly id: string;
  private readonly callerIds: CallerIds;
  private readonly database: Database;
  private readonly writer: SqliteWriter;
  private readonly insertBatch;
  private readonly selectAfter;
  private readonly deleteThrough;
  private readonly appendGroup;
  private readonly onStage: (stage: Stage) => void;
  private waiting: Backlog;
  /** The last position that a power failure cannot undo. */
  durable: number;
  /** After a failed sync batches may be in the file beyond `durable`. */
  private isInDoubt = false;

  constructor(path: string, { onStage = () => undefined, installationId }: SpoolOptions = {}) {
    this.onStage = onStage;
    this.database = openDatabase(path);
    forgetCleanClose(this.database);
    if (installationId !== undefined) markInstallation(this.database, installationId);
    this.callerIds = new CallerIds(this.database);
    this.id = this.identity();
    this.insertBatch = this.database.prepare<[string, number, string]>(
      'INSERT INTO batches (tenant_id, arrived_at, events) VALUES (?, ?, ?)',
    );
    this.selectAfter = this.database.prepare<[after: number, through: number], BatchRow>(
      `SELECT position, tenant_id, arrived_at, events, octet_length(events) AS size FROM batches
        WHERE position > ? AND position <= ? ORDER BY position`,
    );
    this.deleteThrough = this.database.prepare<[number]>('DELETE FROM batches WHERE position <= ?');
    this.appendGroup = this.database.transaction((batches: PackedBatch[], now: number, windowMs: number) => {
      const spooled = batches.map((batch) => this.appendOne(batch, now, windowMs));
      this.onStage('append:committing');
      return spooled;
    });
    this.waiting = this.measure();
    this.writer = new SqliteWriter(this.database, 'Events');
    this.durable = this.lastPosition();
  }

  /** All or none are stored. */
  async append(batches: PackedBatch[], now: number, windowMs: number): Promise<SpooledAppend[]> {
    const appended = this.writer.change(() => this.commit(batches, now, windowMs));
    const spooled = await appended.catch((error: unknown) => this.doubt(error));
    this.durable = Math.max(this.durable, ...spooled.map(({ position }) => position));
    this.onStage('append:committed');
    return spooled;
  }

  /** Makes durable what is in doubt. */
  async settle(): Promise<void> {
    if (!this.isInDoubt) return;
    this.isInDoubt = false;
    const synced = this.writer.change(() => this.lastPosition());
    const position = await synced.catch((error: unknown) => this.doubt(error));
    this.durable = Math.max(this.durable, position);
  }

  /**
   * Oldest first, until they have `maximumSize` bytes or more. Without what is not durable: after a
   * power failure its positions are those of other batches, which a flush would skip.
   */
  readAfter(position: number, maximumSize: number): SpooledBatch[] {
    const batches: SpooledBatch[] = [];
    let total = 0;
    for (const row of this.selectAfter.iterate(position, this.durable)) {
      const { position: at, tenant_id: tenantId, arrived_at: arrivedAt, events, size } = row;
      batches.push({ position: at, tenantId, arrivedAt, size, ...unpacked(events) });
      total += size;
      if (total >= maximumSize) break;
    }
    return batches;
  }

  /** Takes what is discarded off the backlog. */
  async discardThrough(position: number, { batches, bytes }: Backlog): Promise<void> {
    this.count(-batches, -bytes);
    try {
      // Where a power failure undoes it, the flush position of the tables says the same.
      await this.writer.change(() => this.deleteThrough.run(position), 'unsynced');
      this.onStage('discard:committed');
    } catch (error) {
      this.count(batches, bytes);
      throw error;
    }
  }

  /** Batches that an earlier process flushed are not in this backlog. */
  async discardEarlier(position: number): Promise<void> {
    await this.discardThrough(position, { batches: 0, bytes: 0 });
    this.waiting = this.measure();
  }

  get backlog(): Backlog {
    return this.waiting;
  }

  lastPosition(): number {
    const row = this.database
      .prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'batches'")
      .get();
    return row?.seq ?? 0;
  }

  /** Epoch milliseconds; null if no batch has a later position. */
  arrivalAfter(position: number): number | null {
    const select = 'SELECT arrived_at AS at FROM batches WHERE position > ? ORDER BY position LIMIT 1';
    return this.database.prepare<[number], { at: number | null }>(select).get(position)?.at ?? null;
  }

  /** The position of the oldest batch, or of the next one if the file is empty. */
  firstPosition(): number {
    const row = this.database.prepare<[], { first: number | null }>('SELECT min(position) AS first FROM batches').get();
    return row?.first ?? this.lastPosition() + 1;
  }

  /** Keeps the ids of events appended after the position. */
  async eraseIds(tenantId: string, after: number): Promise<void> {
    const erase = this.database.transaction(() => {
      this.callerIds.eraseTenant(tenantId);
      for (const batch of this.selectAfter.all(after, Number.MAX_SAFE_INTEGER)) {
        if (batch.tenant_id !== tenantId) continue;
        for (const event of unpacked(batch.events).events) {
          if (event.idFromCaller) this.callerIds.claim(tenantId, event.id, batch.arrived_at, 0);
        }
      }
    });
    await this.writer.change(() => this.changeIds(erase));
  }

  async eraseSomeIds(tenantId: string, ids: string[]): Promise<void> {
    await this.writer.change(() => this.callerIds.erase(tenantId, ids));
  }

  /** Expired ones of a slice. Returns the next cursor, or null at the end. */
  forgetIds(cursor: Buffer, before: number): Promise<Buffer | null> {
    return this.writer.change(() => this.callerIds.forgetSlice(cursor, before), 'unsynced');
  }

  /** The copy may or may not have concurrent appends. */
  async copyTo(path: string): Promise<void> {
    await this.database.backup(path, { progress: () => 500 });
  }

  /** `clean`: nothing was left to do, and the event database is closed. */
  async close(clean: CleanClose | null = null): Promise<void> {
    await this.writer.close();
    try {
      if (clean !== null) noteCleanClose(this.database, dirname(this.database.name), clean);
    } catch {
      // On a full disk: the next start opens the store then.
    } finally {
      this.database.close();
    }
  }

  private doubt(error: unknown): never {
    this.isInDoubt = true;
    throw error;
  }

  private commit(batches: PackedBatch[], now: number, windowMs: number): SpooledAppend[] {
    const before = this.waiting;
    try {
      return this.changeIds(() => this.appendGroup.immediate(batches, now, windowMs));
    } catch (cause) {
      this.waiting = before;
      throw new RuntimeError('unavailable', 'Events cannot be stored at the moment; nothing was stored. Try again.', {
        cause,
        retryAfter: 5,
      });
    }
  }

  private changeIds<Result>(change: () => Result): Result {
    try {
      return change();
    } catch (error) {
      this.callerIds.reloadNumbers();
      throw error;
    }
  }

  private appendOne(batch: PackedBatch, now: number, windowMs: number): SpooledAppend {
    const { tenantId, callerIds } = batch;
    const known = new Set<number>();
    for (const [index, id] of callerIds?.entries() ?? []) {
      if (id !== null && !this.callerIds.claim(tenantId, id, now, windowMs)) known.add(index);
    }
    const duplicates = known.size;
    if (duplicates === batch.count) return { duplicates, position: this.lastPosition() };
    const { text } = duplicates === 0 ? batch : without(batch, known);
    const { lastInsertRowid } = this.insertBatch.run(tenantId, now, text);
    this.count(1, Buffer.byteLength(text));
    return { duplicates, position: Number(lastInsertRowid) };
  }

  private count(batches: number, bytes: number): void {
    this.waiting = { batches: this.waiting.batches + batches, bytes: this.waiting.bytes + bytes };
  }

  private measure(): Backlog {
    return this.database
      .prepare<[], Backlog>('SELECT count(*) AS batches, coalesce(sum(octet_length(events)), 0) AS bytes FROM batches')
      .get()!;
  }

  private identity(): string {
    const existing = this.database.prepare<[], { id: string }>('SELECT id FROM spool').get();
    if (existing) return existing.id;
    const id = randomUUID();
    this.database.prepare('INSERT INTO spool (id) VALUES (?)').run(id);
    return id;
  }
}

function openDatabase(path: string): Database {
  const database = new BetterSqlite3(path, { timeout: 5_000 });
  database.pragma('journal_mode = WAL');
  // Overwrites deleted events where that needs no extra write; free pages keep their content.
  database.pragma('secure_delete = FAST');
  database.exec(`
    CREATE TABLE IF NOT EXISTS spool (id TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS batches (
      position INTEGER PRIMARY KEY AUTOINCREMENT, tenant_id TEXT NOT NULL, events TEXT NOT NULL, arrived_at INTEGER NOT NULL);
  `);
  return database;
}
