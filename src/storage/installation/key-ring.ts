import { randomBytes } from 'node:crypto';
import { KeyWrapping, type WrappingSecrets } from '../../core/base/sealing/key-wrapping.ts';
import type { MovableKeyRing } from '../../core/base/sealing/rotation.ts';
import { keyIdOf, UnopenableSecret } from '../../core/base/sealing/sealing.ts';
import { RuntimeError } from '../../core/base/shared/errors.ts';
import { type RingKey, readKeyRing, updateKeyRing } from './key-ring-file.ts';
import { SEALING_KEYS_FILE } from './names.ts';

export interface KeyRingParts extends WrappingSecrets {
  dataDir: string;
  needed?: () => Promise<ReadonlySet<string>>;
  onMade?: (name: string) => void;
  now?: () => number;
}

export type ShownKey = Omit<RingKey, 'key'> & {
  opens: boolean;
};

const KEY_BYTES = 32;

/** Rereads the file at each sealing and for unknown keys: other processes change it. */
export class StoredKeyRing implements MovableKeyRing {
  private readonly parts: KeyRingParts;
  private readonly wrapping: KeyWrapping;
  private keys: RingKey[] | null = null;
  private opened = new Map<string, Uint8Array>();

  constructor(parts: KeyRingParts) {
    this.parts = parts;
    this.wrapping = new KeyWrapping(parts);
  }

  /** Reads the disk. Throws an UnusableFile. */
  read(): ShownKey[] | null {
    this.reload();
    return this.keys?.map(({ key: _, ...shown }) => ({ ...shown, opens: this.opened.has(shown.id) })) ?? null;
  }

  async active(): Promise<Uint8Array> {
    this.reload();
    if (this.keys === null) await this.make();
    const { id } = activeOf(this.keys!);
    const key = this.opened.get(id);
    if (key === undefined)
      throw unavailable(`is protected by another AGENT_RUNTIME_SECRET_KEY than this one. ${UNWRAP}`);
    return key;
  }

  keyFor(keyId: string): Uint8Array {
    if (!this.opened.has(keyId)) this.reload();
    const key = this.opened.get(keyId);
    if (key !== undefined) return key;
    const isWrapped = this.keys?.some(({ id }) => id === keyId);
    const problem = isWrapped
      ? 'was sealed with another AGENT_RUNTIME_SECRET_KEY than the one that is here'
      : `was sealed with another key than those in ${SEALING_KEYS_FILE}`;
    throw new UnopenableSecret('another key', problem);
  }

  retired(): number {
    return (this.keys ?? []).filter(({ retiredAt }) => retiredAt !== null).length;
  }

  async rotate({ abandonLost }: { abandonLost: boolean }): Promise<void> {
    if (!abandonLost) await this.active();
    const at = this.now();
    await this.update((keys) => [
      ...(keys ?? []).map((key) => ({ ...key, retiredAt: key.retiredAt ?? at })),
      this.entry(randomBytes(KEY_BYTES), at),
    ]);
  }

  async settle(): Promise<void> {
    this.reload();
    if ((this.keys ?? []).every((key) => this.rewrapped(key) === key)) return;
    await this.update((keys) => keys?.map((key) => this.rewrapped(key)) ?? null);
  }

  async forget({ retiredBefore, needed }: { retiredBefore: number; needed: ReadonlySet<string> }): Promise<number> {
    let forgotten = 0;
    await this.update((keys) => {
      const kept = (keys ?? []).filter(
        ({ id, retiredAt }) => retiredAt === null || needed.has(id) || Date.parse(retiredAt) >= retiredBefore,
      );
      forgotten = (keys ?? []).length - kept.length;
      return forgotten === 0 ? null : kept;
    });
    return forgotten;
  }

  async openedKeys(): Promise<Uint8Array[]> {
    this.reload();
    return [...this.opened.values()];
  }

  async adopt(added: readonly Uint8Array[]): Promise<void> {
    const at = this.now();
    this.reload();
    await this.update((keys) => {
      const others = added.filter((key) => !keys?.some(({ id }) => id === keyIdOf(key)));
      if (others.length === 0) return null;
      const isFirst = (index: number) => keys === null && index === 0;
      const entries = others.map((key, index) => ({ ...this.entry(key, at), retiredAt: isFirst(index) ? null : at }));
      return [...(keys ?? []), ...entries];
    });
  }

  private async make(): Promise<void> {
    const needed = (await this.parts.needed?.()) ?? new Set<string>();
    if (needed.size > 0) throw unavailable(`is missing, though stored secrets need its keys. ${PUT_BACK}`);
    await this.update((keys) => (keys === null ? [this.entry(randomBytes(KEY_BYTES), this.now())] : null));
  }

  private async update(change: (keys: RingKey[] | null) => RingKey[] | null): Promise<void> {
    const isNew = this.keys === null;
    await updateKeyRing(this.parts.dataDir, change);
    this.reload();
    if (isNew && this.keys !== null) this.parts.onMade?.(SEALING_KEYS_FILE);
  }

  private reload(): void {
    this.keys = readKeyRing(this.parts.dataDir);
    this.opened = new Map();
    for (const one of this.keys ?? []) {
      const key = this.unwrapped(one);
      if (key !== null) this.opened.set(one.id, key);
    }
  }

  private entry(key: Uint8Array, createdAt: string): RingKey {
    const id = keyIdOf(key);
    return { id, createdAt, retiredAt: null, key: this.wrapped(id, key) };
  }

  private wrapped(id: string, key: Uint8Array): RingKey['key'] {
    const wrapped = this.wrapping.wrap(id, key);
    return wrapped === null ? Buffer.from(key).toString('base64url') : { wrapped };
  }

  /** Null if another secret wrapped it. */
  private unwrapped({ id, key }: RingKey): Uint8Array | null {
    return typeof key === 'string' ? Buffer.from(key, 'base64url') : this.wrapping.unwrap(id, key.wrapped);
  }

  /** Unchanged if its wrapping is current or does not open. */
  private rewrapped(entry: RingKey): RingKey {
    if (this.wrapping.isCurrent(typeof entry.key === 'string' ? null : entry.key.wrapped)) return entry;
    const key = this.unwrapped(entry);
    return key === null ? entry : { ...entry, key: this.wrapped(entry.id, key) };
  }

  private now(): string {
    return new Date(this.parts.now?.() ?? Date.now()).toISOString();
  }
}

function activeOf(keys: readonly RingKey[]): RingKey {
  return keys.find(({ retiredAt }) => retiredAt === null)!;
}

const UNWRAP =
  'Set it as it was, or run `secrets rotate --previous-key-file FILE` with the former one. Where it is lost, `secrets rotate --abandon-lost` goes on with a new key; then set the secrets again.';
const PUT_BACK =
  'Put it back, or restore a backup. Where it is lost, `secrets rotate --abandon-lost` goes on with a new key; then set the secrets again.';

function unavailable(problem: string): RuntimeError {
  return new RuntimeError('unavailable', `${SEALING_KEYS_FILE} ${problem}`);
}
