import { keyIdOf, openWith, seal, sealedKeyId, UnopenableSecret } from './sealing.ts';
import { deriveKey } from './secret-key.ts';

export interface WrappingSecrets {
  /** AGENT_RUNTIME_SECRET_KEY. */
  secretKey?: string | undefined;
  /** The former one, when it was changed. */
  previousSecretKey?: string | undefined;
}

/** Protects the keys of a ring with a key that is derived from a setting. */
export class KeyWrapping {
  private readonly current: Uint8Array | null;
  private readonly keys: Map<string, Uint8Array>;

  constructor({ secretKey, previousSecretKey }: WrappingSecrets) {
    const derive = (secret: string | undefined) => (secret === undefined ? null : deriveKey(secret, 'sealing keys'));
    this.current = derive(secretKey);
    const all = [this.current, derive(previousSecretKey)].filter((key) => key !== null);
    this.keys = new Map(all.map((key) => [keyIdOf(key), key]));
  }

  /** Null without the setting. */
  wrap(id: string, key: Uint8Array): string | null {
    return this.current && seal(this.current, Buffer.from(key).toString('base64url'), placeOf(id));
  }

  /** Null if another secret wrapped it. */
  unwrap(id: string, wrapped: string): Uint8Array | null {
    try {
      return Buffer.from(openWith(this, wrapped, placeOf(id)), 'base64url');
    } catch (error) {
      if (error instanceof UnopenableSecret) return null;
      throw error;
    }
  }

  /** `wrapped` null: it is not wrapped. */
  isCurrent(wrapped: string | null): boolean {
    return (wrapped && sealedKeyId(wrapped)) === (this.current && keyIdOf(this.current));
  }

  /** Throws an UnopenableSecret. */
  keyFor(id: string): Uint8Array {
    const key = this.keys.get(id);
    if (key === undefined) throw new UnopenableSecret('another key', 'is wrapped with another key');
    return key;
  }
}

function placeOf(id: string): string[] {
  return ['sealing key', id];
}
