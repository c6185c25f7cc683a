import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PeriodicTask } from '../../../core/base/concurrency/timers.ts';
import { KeyWrapping, type WrappingSecrets } from '../../../core/base/sealing/key-wrapping.ts';
import type { MovableKeyRing } from '../../../core/base/sealing/rotation.ts';
import { keyIdOf, UnopenableSecret } from '../../../core/base/sealing/sealing.ts';
import { conflict, RuntimeError } from '../../../core/base/shared/errors.ts';
import type { StateTables } from '../schema/types.ts';
import type { StateDatabase, StateTransaction } from './database.ts';
import { ConstraintViolation } from './violations.ts';

type KeyRow = StateTables['sealing_keys'];

export interface SqlKeyRingParts extends WrappingSecrets {
  database: StateDatabase;
  now: () => number;
  onError: (error: unknown) => void;
  /** Resolves once every process has reloaded its ring. */
  reloaded?: () => Promise<void>;
}

const KEY_BYTES = 32;
const RELOAD_MS = 1_000;

/**
 * The sealing keys of all processes that share the database, each wrapped with a key derived from
 * AGENT_RUNTIME_SECRET_KEY. A new key is first added as a retired one, which opens and does not
 * seal: when it becomes the active one, every process has it.
 */
export class SqlKeyRing implements MovableKeyRing {
  private readonly parts: SqlKeyRingParts;
  private readonly wrapping: KeyWrapping;
  private keys: KeyRow[] = [];
  private opened = new Map<string, Uint8Array>();
  private reloading: PeriodicTask | undefined;

  private constructor(parts: SqlKeyRingParts) {
    this.parts = parts;
    this.wrapping = new KeyWrapping(parts);
  }

  /** Makes the first key. */
  static async open(parts: SqlKeyRingParts): Promise<SqlKeyRing> {
    const ring = new SqlKeyRing(parts);
    await ring.reload();
    if (ring.keys.length === 0) await ring.makeFirst();
    ring.reloading = new PeriodicTask({ everyMs: RELOAD_MS, run: () => ring.reload(), onError: parts.onError });
    return ring;
  }

  close(): void {
    void this.reloading?.close();
  }

  async active(): Promise<Uint8Array> {
    await this.reload();
    const { id } = this.keys.find(({ retired_at: retiredAt }) => retiredAt === null)!;
    const key = this.opened.get(id);
    if (key !== undefined) return key;
    throw new RuntimeError(
      'unavailable',
      'The sealing keys in the database are protected by another AGENT_RUNTIME_SECRET_KEY than this one. Set it as the other nodes have it, or run `secrets rotate --previous-key-file FILE` with the former one. Where it is lost, `secrets rotate --abandon-lost` goes on with a new key; then set the secrets again.',
    );
  }

  keyFor(keyId: string): Uint8Array {
    const key = this.opened.get(keyId);
    if (key !== undefined) return key;
    const isWrapped = this.keys.some(({ id }) => id === keyId);
    throw new UnopenableSecret(
      'another key',
      isWrapped
        ? 'was sealed with another AGENT_RUNTIME_SECRET_KEY than the one that is here'
        : 'was sealed with another key than those in the database',
    );
  }

  retired(): number {
    return this.keys.filter(({ retired_at: retiredAt }) => retiredAt !== null).length;
  }

  async rotate({ abandonLost }: { abandonLost: boolean }): Promise<void> {
    if (!abandonLost) await this.active();
    const { database, reloaded = () => sleep(3 * RELOAD_MS) } = this.parts;
    const added = this.newRow();
    await database
      .insertInto('sealing_keys')
      .values({ ...added, retired_at: added.created_at })
      .execute();
    await reloaded();
    await this.changed((transaction) => this.activate(transaction, added.id));
  }

  /** Wraps with the present setting what the former one has wrapped. */
  async settle(): Promise<void> {
    await this.reload();
    for (const { id, wrapped } of this.keys) {
      const key = this.opened.get(id);
      if (key === undefined || this.wrapping.isCurrent(wrapped)) continue;
      const changes = { wrapped: this.wrapping.wrap(id, key)! };
      await this.parts.database.updateTable('sealing_keys').set(changes).where('id', '=', id).execute();
    }
    await this.reload();
  }

  async forget({ retiredBefore, needed }: { retiredBefore: number; needed: ReadonlySet<string> }): Promise<number> {
    await this.reload();
    const ids = this.keys
      .filter(({ id, retired_at: at }) => at !== null && at < retiredBefore && !needed.has(id))
      .map(({ id }) => id);
    if (ids.length === 0) return 0;
    const unneeded = this.parts.database.deleteFrom('sealing_keys').where('id', 'in', ids);
    const { numDeletedRows } = await unneeded.where('retired_at', '<', retiredBefore).executeTakeFirst();
    await this.reload();
    return Number(numDeletedRows);
  }

  async openedKeys(): Promise<Uint8Array[]> {
    await this.reload();
    return [...this.opened.values()];
  }

  async adopt(keys: readonly Uint8Array[]): Promise<void> {
    const at = this.parts.now();
    for (const key of keys) {
      const row = { ...this.rowOf(key), retired_at: at };
      const insert = this.parts.database.insertInto('sealing_keys').values(row);
      await insert.onConflict((conflict) => conflict.column('id').doNothing()).execute();
    }
    await this.reload();
  }

  private async makeFirst(): Promise<void> {
    const { database } = this.parts;
    try {
      await database.insertInto('sealing_keys').values(this.newRow()).execute();
    } catch (error) {
      // Another process made it: there is one active key.
      if (!(error instanceof ConstraintViolation)) throw error;
    }
    await this.reload();
  }

  private async activate(transaction: StateTransaction, id: string): Promise<void> {
    const retired = { retired_at: this.parts.now() };
    await transaction.updateTable('sealing_keys').set(retired).where('retired_at', 'is', null).execute();
    const added = transaction.updateTable('sealing_keys').set({ retired_at: null }).where('id', '=', id);
    if ((await added.executeTakeFirst()).numUpdatedRows !== 1n) throw meanwhile();
  }

  private async changed(change: (transaction: StateTransaction) => Promise<void>): Promise<void> {
    try {
      await this.parts.database.transaction().execute(change);
    } catch (error) {
      throw error instanceof ConstraintViolation ? meanwhile() : error;
    }
    await this.reload();
  }

  private newRow(): KeyRow {
    return this.rowOf(randomBytes(KEY_BYTES));
  }

  private rowOf(key: Uint8Array): KeyRow {
    const id = keyIdOf(key);
    return { id, created_at: this.parts.now(), retired_at: null, wrapped: this.wrapping.wrap(id, key)! };
  }

  private async reload(): Promise<void> {
    this.keys = await this.parts.database.selectFrom('sealing_keys').selectAll().execute();
    const opened = this.keys.flatMap(({ id, wrapped }) => {
      const key = this.opened.get(id) ?? this.wrapping.unwrap(id, wrapped);
      return key === null ? [] : [[id, key] as const];
    });
    this.opened = new Map(opened);
  }
}

function meanwhile(): RuntimeError {
  return conflict('Another process has rotated the sealing keys. Run the command again.');
}
