import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const SEALED = /^v1\.([\w-]{8})\.([\w-]+)$/;

/** What a secret belongs to: `['provider', tenantId, name, 'apiKey']`. */
export type SecretPlace = readonly string[];

/** The message continues after the secret's name: "was sealed with another key". */
export class UnopenableSecret extends Error {
  readonly reason: 'another key' | 'changed';

  constructor(reason: UnopenableSecret['reason'], message: string) {
    super(message);
    this.name = 'UnopenableSecret';
    this.reason = reason;
  }
}

/**
 * Encrypts a text with a key of 32 bytes by AES-256-GCM: `v1.<key id>.<IV, text and tag>`. It opens
 * only for the same place (the additional data), so that an attacker with write access to the rows
 * cannot swap secrets.
 */
export function seal(key: Uint8Array, text: string, place: SecretPlace): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bytesOf(place));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${keyIdOf(key)}.${sealed.toString('base64url')}`;
}

/** The keys that secrets are sealed with: one active key, and retired keys for older secrets. */
export interface SealingKeys {
  /**
   * The key for new secrets as any process has last set it, 32 bytes; made at the first call.
   * Throws `unavailable` when it cannot be read, or when stored secrets need missing keys and a new
   * key would hide that.
   */
  active(): Promise<Uint8Array>;
  /** An active or retired key. Throws an UnopenableSecret when it is missing. */
  keyFor(keyId: string): Uint8Array;
}

/** Opens a sealed text with the key that it names. Throws an UnopenableSecret. */
export function openWith(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): string {
  const keyId = sealedKeyId(sealed);
  if (keyId === null) throw changed();
  return open(keys.keyFor(keyId), sealed, place);
}

/** The id of the key of a sealed text; null for any other text. */
export function sealedKeyId(sealed: string): string | null {
  return SEALED.exec(sealed)?.[1] ?? null;
}

/** Throws an UnopenableSecret. */
export function open(key: Uint8Array, sealed: string, place: SecretPlace): string {
  const [, keyId, content = ''] = SEALED.exec(sealed) ?? [];
  const bytes = Buffer.from(content, 'base64url');
  // Decoders skip invalid characters: a text changed there would open.
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

/** As JSON, so that no part can contain a separator. */
function bytesOf(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** Identifies a key without revealing it: 48 bits of its hash. */
export function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('agent-runtime key id').update(key).digest('base64url').slice(0, 8);
}
