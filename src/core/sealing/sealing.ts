import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const SEALED = /^v1\.([\w-]{8})\.([\w-]+)$/;

/** What a secret belongs to, from the kind of thing down to the member: `['provider', tenantId, name, 'apiKey']`. */
export type SecretPlace = readonly string[];

/** A sealed secret that does not open. The message goes on after a name for it: "was sealed with another key". */
export class UnopenableSecret extends Error {
  readonly reason: 'another key' | 'changed';

  constructor(reason: UnopenableSecret['reason'], message: string) {
    super(message);
    this.name = 'UnopenableSecret';
    this.reason = reason;
  }
}

/**
 * A text under a key of 32 bytes, by AES-256-GCM: `v1.<key id>.<IV, text and tag>`. It opens with the same key and for the
 * same place alone, so that whoever can write the rows cannot have one secret used in the place of another. The key id tells
 * which of several keys it was.
 */
export function seal(key: Uint8Array, text: string, place: SecretPlace): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bytesOf(place));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${keyIdOf(key)}.${sealed.toString('base64url')}`;
}

/** The keys that secrets are sealed with: one is active, the others are kept for what they have sealed. */
export interface SealingKeys {
  /**
   * The key that new secrets are sealed with, as any process has last set it; 32 bytes. Made when it is first needed. Throws
   * `unavailable` when it cannot be read, or when making one would hide that stored secrets need keys that are missing.
   */
  active(): Promise<Uint8Array>;
  /** The key of this id, active or retired. Throws an UnopenableSecret when there is none. */
  keyFor(keyId: string): Uint8Array;
}

/** Opens a sealed text with the key that it names. Throws an UnopenableSecret. */
export function openWith(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): string {
  const keyId = sealedKeyId(sealed);
  if (keyId === null) throw changed();
  return open(keys.keyFor(keyId), sealed, place);
}

/** The id of the key that a text was sealed with; null: it is not a sealed text. */
export function sealedKeyId(sealed: string): string | null {
  return SEALED.exec(sealed)?.[1] ?? null;
}

/** Throws an UnopenableSecret. */
export function open(key: Uint8Array, sealed: string, place: SecretPlace): string {
  const [, keyId, content = ''] = SEALED.exec(sealed) ?? [];
  const bytes = Buffer.from(content, 'base64url');
  // Decoders pass over what is odd; a text that was changed in such a place would open.
  if (keyId === undefined || bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== content) {
    throw changed();
  }
  if (keyId !== keyIdOf(key)) {
    throw new UnopenableSecret(
      'another key',
      'was sealed with another AGENT_RUNTIME_SECRET_KEY or secret.key than the one that is here',
    );
  }
  const textEnd = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(bytesOf(place))
    .setAuthTag(bytes.subarray(textEnd));
  try {
    return decipher.update(bytes.subarray(IV_BYTES, textEnd), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw changed();
  }
}

function changed(): UnopenableSecret {
  return new UnopenableSecret('changed', 'was changed where it is stored, or belongs to something else');
}

/** Parts that hold a separator cannot be taken for others: `a|b` in one part is not `a` and `b`. */
function bytesOf(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** Tells keys apart and tells nothing of them: 48 bits of a hash of 256 random ones. */
export function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('agent-runtime key id').update(key).digest('base64url').slice(0, 8);
}
