import type { AuditLog } from '../audit/log.ts';
import { keyIdsOf, neededKeys, type SealedRow, type SealedRowStore } from './sealed-rows.ts';
import { keyIdOf, openWith, type SealingKeys, seal, UnopenableSecret } from './sealing.ts';

/** The keys, and what changes which there are. Each change is on disk, whole or not at all, before it is used. */
export interface KeyRing extends SealingKeys {
  /** Makes a new active key; the one before is retired. Throws as `active` does, unless lost keys are given up. */
  rotate(options: { abandonLost: boolean }): Promise<void>;
  /** Takes in those of the needed keys that only the session secret still leads to, and wraps all keys as they should be. */
  settle(needed: ReadonlySet<string>): Promise<void>;
  /** Removes keys that were retired before `retiredBefore` (epoch milliseconds) and are not needed. Returns how many. */
  forget(options: { retiredBefore: number; needed: ReadonlySet<string> }): Promise<number>;
  /** How many keys are kept for what they have sealed. */
  retired(): number;
}

export interface RotationParts {
  ring: KeyRing;
  rows: SealedRowStore;
  audit: Pick<AuditLog, 'record'>;
  now: () => number;
}

export interface RotationOptions {
  /** Removes keys that an earlier rotation has retired and nothing stored needs. Backups from before do not open then. */
  forgetRetired?: boolean | undefined;
  /** Goes on where stored secrets need keys that are lost. */
  abandonLost?: boolean | undefined;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** A stored secret that does not open, and so stays as it is. */
export interface UnopenedSecret {
  kind: SealedRow['kind'];
  tenantId: string;
  name: string;
  /** "was sealed with another key ..." */
  problem: string;
}

export interface Rotation {
  /** The id of the active key. */
  keyId: string;
  /** How many rows were sealed anew. */
  resealed: number;
  unopened: UnopenedSecret[];
  /** Keys that are kept for old backups. */
  retired: number;
  forgotten: number;
}

/** Rows of one transaction: short enough for writers that wait, long enough that each does not pay for a sync of the disk. */
const BATCH = 100;
/** A row may be set anew while it is sealed anew, and then still have the key from before. */
const PASSES = 3;

/**
 * Seals everything stored with a new key. The key is on disk before it seals anything and no key is removed while a row needs
 * it, so a rotation that is cut off leaves everything readable; `finish` or another rotation does the rest.
 */
export class SealingRotation {
  private readonly parts: RotationParts;

  constructor(parts: RotationParts) {
    this.parts = parts;
  }

  async rotate({ forgetRetired, abandonLost, onProgress }: RotationOptions = {}): Promise<Rotation> {
    const { ring, rows, audit, now } = this.parts;
    const startedAt = now();
    await ring.settle(await neededKeys(rows));
    await ring.rotate({ abandonLost: abandonLost ?? false });
    const { keyId, resealed, unopened } = await this.resealAll(onProgress ?? (() => undefined));
    const needed = await neededKeys(rows);
    const forgotten = forgetRetired ? await ring.forget({ retiredBefore: startedAt, needed }) : 0;
    for (const tenantId of new Set((await rows.list()).map((row) => row.tenantId))) {
      await audit.record(null, tenantId, 'secrets.rotated', keyId);
    }
    return { keyId, resealed, unopened, retired: ring.retired(), forgotten };
  }

  /** At a start: takes over the keys of version 0.1 and ends a rotation that was cut off. Returns how many rows that took. */
  async finish(): Promise<number> {
    const { ring, rows } = this.parts;
    const needed = await neededKeys(rows);
    await ring.settle(needed);
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

  /** What does not open stays as it is. */
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
