import { hash } from 'node:crypto';
import type { Database } from 'better-sqlite3';

const SLICE = 1_000;
const TENANT_BYTES = 4;
const KEY_BYTES = 16;

/** Idempotency keys: tenant number and 96 bits of SHA-256. An id may expire a second late. */
export class CallerIds {
  private readonly database: Database;
  private readonly numbers = new Map<string, number>();
  private readonly insertId;
  private readonly selectEnd;
  private readonly deleteExpired;
  private readonly deleteId;

  constructor(database: Database) {
    this.database = database;
    database.exec(`
      CREATE TABLE IF NOT EXISTS id_tenants (number INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL UNIQUE);
      CREATE TABLE IF NOT EXISTS caller_ids (key BLOB PRIMARY KEY, arrived_at INTEGER NOT NULL) WITHOUT ROWID;`);
    this.insertId = database.prepare<[Buffer, number, number]>(
      // An expired id counts as new, and its window restarts.
      `INSERT INTO caller_ids (key, arrived_at) VALUES (?, ?)
       ON CONFLICT (key) DO UPDATE SET arrived_at = excluded.arrived_at WHERE arrived_at < ?`,
    );
    this.selectEnd = database
      .prepare<[Buffer, number], Buffer>('SELECT key FROM caller_ids WHERE key > ? ORDER BY key LIMIT 1 OFFSET ?')
      .pluck();
    this.deleteExpired = database.prepare<[Buffer, Buffer, number]>(
      'DELETE FROM caller_ids WHERE key > ? AND key <= ? AND arrived_at < ?',
    );
    this.deleteId = database.prepare<[Buffer]>('DELETE FROM caller_ids WHERE key = ?');
    this.reloadNumbers();
  }

  /** True if the id is new. Runs in the transaction of its event. */
  claim(tenantId: string, id: string, now: number, windowMs: number): boolean {
    const forgotten = Math.floor((now - windowMs) / 1_000);
    return this.insertId.run(this.keyOf(tenantId, id), Math.floor(now / 1_000), forgotten).changes === 1;
  }

  /** A rollback may have removed or restored numbers. */
  reloadNumbers(): void {
    this.numbers.clear();
    const select = this.database.prepare<[], { number: number; tenant_id: string }>('SELECT * FROM id_tenants');
    for (const row of select.iterate()) this.numbers.set(row.tenant_id, row.number);
  }

  erase(tenantId: string, ids: string[]): void {
    // A tenant without ids must not get a number here.
    if (!this.numbers.has(tenantId)) return;
    this.database.transaction(() => {
      for (const id of ids) this.deleteId.run(this.keyOf(tenantId, id));
    })();
  }

  /** Runs in the caller's transaction. */
  eraseTenant(tenantId: string): void {
    const number = this.numbers.get(tenantId);
    if (number === undefined) return;
    this.database
      .prepare<[Buffer, Buffer]>('DELETE FROM caller_ids WHERE key >= ? AND key < ?')
      .run(prefixOf(number), prefixOf(number + 1));
    this.database.prepare<[number]>('DELETE FROM id_tenants WHERE number = ?').run(number);
    this.numbers.delete(tenantId);
  }

  /** Returns the next cursor, or null at the end. */
  forgetSlice(cursor: Buffer, before: number): Buffer | null {
    const end = this.selectEnd.get(cursor, SLICE - 1);
    this.deleteExpired.run(cursor, end ?? LAST_CURSOR, Math.floor(before / 1_000));
    return end ?? null;
  }

  private keyOf(tenantId: string, id: string): Buffer {
    const key = Buffer.alloc(KEY_BYTES);
    key.writeUInt32BE(this.numberOf(tenantId));
    hash('sha256', id, 'buffer').copy(key, TENANT_BYTES, 0, KEY_BYTES - TENANT_BYTES);
    return key;
  }

  private numberOf(tenantId: string): number {
    const known = this.numbers.get(tenantId);
    if (known !== undefined) return known;
    const { lastInsertRowid } = this.database.prepare('INSERT INTO id_tenants (tenant_id) VALUES (?)').run(tenantId);
    this.numbers.set(tenantId, Number(lastInsertRowid));
    return Number(lastInsertRowid);
  }
}

/** How often expired ids are forgotten; first, when the questions of a start have been answered. */
export const FORGET_INTERVAL_MS = 6 * 3_600_000;
export const FIRST_FORGET_MS = 60_000;

export const FIRST_CURSOR = Buffer.alloc(0);
const LAST_CURSOR = Buffer.alloc(KEY_BYTES, 0xff);

function prefixOf(number: number): Buffer {
  const prefix = Buffer.alloc(TENANT_BYTES);
  prefix.writeUInt32BE(number);
  return prefix;
}
