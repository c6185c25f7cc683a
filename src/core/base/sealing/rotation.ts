import type { AuditLog } from '../audit/log.ts';
import {
  keyIdOf,
  openWith,
  type SealingKeys,
  type SecretPlace,
  seal,
  sealedKeyId,
  UnopenableSecret,
} from './sealing.ts';

export interface SealedRow {
  kind: 'credential' | 'provider' | 'delivery' | 'alert' | 'digest' | 'identity provider' | 'TOTP secret';
  /** Null for a secret of the whole installation. */
  tenantId: string | null;
  /** Its name; the id of a delivery, an alert, a digest or an identity provider, and of a user. */
  name: string;
  stored: string;
  reseal(change: (sealed: string, place: SecretPlace) => string): string;
}

/** Every row with sealed texts, of all tenants, in a stable order. */
export interface SealedRowStore {
  list(): Promise<SealedRow[]>;
  /** In one transaction. Skips rows changed or removed since. Returns the number replaced. */
  replace(changes: { row: SealedRow; stored: string }[]): Promise<number>;
}

/** Each change is atomic and durable before it is used. */
export interface KeyRing extends SealingKeys {
  /** Throws as `active` does, unless `abandonLost` is set. */
  rotate(options: { abandonLost: boolean }): Promise<void>;
  /** Wraps all keys as configured. */
  settle(): Promise<void>;
  /** Removes unneeded keys retired before `retiredBefore` (epoch milliseconds). */
  forget(options: { retiredBefore: number; needed: ReadonlySet<string> }): Promise<number>;
  retired(): number;
}

/** A ring whose keys go with the secrets that they have sealed, to another place. */
export interface MovableKeyRing extends KeyRing {
  /** The keys that open. */
  openedKeys(): Promise<Uint8Array[]>;
  /**
   * Adds keys that it lacks, before the secrets that they sealed come; retired ones, unless it has
   * none. The next start seals these secrets again.
   */
  adopt(keys: readonly Uint8Array[]): Promise<void>;
}

export interface RotationParts {
  ring: KeyRing;
  rows: SealedRowStore;
  audit: Pick<AuditLog, 'record'>;
  now: () => number;
}

export interface RotationOptions {
  /** Removes unneeded retired keys. Older backups do not open after that. */
  forgetRetired?: boolean | undefined;
  abandonLost?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

export interface UnopenedSecret {
  kind: SealedRow['kind'];
  tenantId: string | null;
  name: string;
  problem: string;
}

export interface Rotation {
  keyId: string;
  resealed: number;
  unopened: UnopenedSecret[];
  retired: number;
  forgotten: number;
}

/** Rows per transaction: a compromise between waiting writers and disk syncs. */
const BATCH = 100;
/** Concurrent writes may still use the old key. */
const PASSES = 3;

/** No key is removed while a row needs it: an interruption leaves everything readable. */
export class SealingRotation {
  private readonly parts: RotationParts;

  constructor(parts: RotationParts) {
    this.parts = parts;
  }

  async rotate({ forgetRetired, abandonLost, onProgress }: RotationOptions = {}): Promise<Rotation> {
    const { ring, rows, audit, now } = this.parts;
    const startedAt = now();
    await ring.settle();
    await ring.rotate({ abandonLost: abandonLost ?? false });
    const { keyId, resealed, unopened } = await this.resealAll(onProgress ?? (() => undefined));
    const needed = await neededKeys(rows);
    const forgotten = forgetRetired ? await ring.forget({ retiredBefore: startedAt, needed }) : 0;
    for (const tenantId of new Set((await rows.list()).map((row) => row.tenantId))) {
      await audit.record(null, tenantId, 'secrets.rotated', keyId);
    }
    return { keyId, resealed, unopened, retired: ring.retired(), forgotten };
  }

  /** At startup: completes an interrupted rotation. */
  async finish(): Promise<number> {
    const { ring, rows } = this.parts;
    const needed = await neededKeys(rows);
    await ring.settle();
    if (needed.size === 0) return 0;
    const active = keyIdOf(await ring.active());
    if (needed.size === 1 && needed.has(active)) return 0;
    return (await this.resealAll(() => undefined)).resealed;
  }

  private async resealAll(onProgress: (done: number, total: number) => void) {
    const { ring, rows } = this.parts;
    let resealed = 0;
    let unopened = new Map<string, UnopenedSecret>();
    for (let pass = 1; ; pass += 1) {
      const key = await ring.active();
      const keyId = keyIdOf(key);
      const stale = (await rows.list()).filter((row) => keyIdsOf(row).some((id) => id !== keyId));
      unopened = new Map();
      let replaced = 0;
      for (let at = 0; at < stale.length; at += BATCH) {
        const changes = stale.slice(at, at + BATCH).map((row) => ({ row, ...this.sealedAnew(row, key) }));
        for (const { problem, row } of changes) {
          const { kind, tenantId, name } = row;
          if (problem !== null) unopened.set(`${kind}\0${tenantId}\0${name}`, { kind, tenantId, name, problem });
        }
        replaced += await rows.replace(changes.filter(({ row, stored }) => stored !== row.stored));
        onProgress(Math.min(at + BATCH, stale.length), stale.length);
      }
      resealed += replaced;
      if (replaced === 0 || pass === PASSES) return { keyId, resealed, unopened: [...unopened.values()] };
    }
  }

  private sealedAnew(row: SealedRow, key: Uint8Array): { stored: string; problem: string | null } {
    let problem: string | null = null;
    const stored = row.reseal((sealed, place) => {
      try {
        return seal(key, openWith(this.parts.ring, sealed, place), place);
      } catch (error) {
        if (!(error instanceof UnopenableSecret)) throw error;
        problem = error.message;
        return sealed;
      }
    });
    return { stored, problem };
  }
}

function keyIdsOf(row: SealedRow): string[] {
  const ids: string[] = [];
  row.reseal((sealed) => {
    const id = sealedKeyId(sealed);
    if (id !== null) ids.push(id);
    return sealed;
  });
  return ids;
}

export async function neededKeys(rows: Pick<SealedRowStore, 'list'>): Promise<Set<string>> {
  return new Set((await rows.list()).flatMap(keyIdsOf));
}
