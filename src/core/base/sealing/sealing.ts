import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const SEALED = /^v1\.([\w-]{8})\.([\w-]+)$/;

/** The owner, authenticated against swapped rows: `['provider', tenantId, name, 'apiKey']`. */
export type SecretPlace = readonly string[];

export class UnopenableSecret extends Error {
  readonly reason: 'another key' | 'changed';

  constructor(reason: UnopenableSecret['reason'], message: string) {
    super(message);
    this.name = 'UnopenableSecret';
    this.reason = reason;
  }
}

/** AES-256-GCM, 32-byte key: `v1.<key id>.<IV, text, tag>`. Opens only for the same place. */
export function seal(key: Uint8Array, text: string, place: SecretPlace): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(bytesOf(place));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${VERSION}.${keyIdOf(key)}.${sealed.toString('base64url')}`;
}

export interface SealingKeys {
  /** 32 bytes. Throws `unavailable` when it is unreadable or stored secrets need missing keys. */
  active(): Promise<Uint8Array>;
  /** Active or retired. Throws an UnopenableSecret when it is missing. */
  keyFor(keyId: string): Uint8Array;
}

/** Throws an UnopenableSecret. */
export function openWith(keys: Pick<SealingKeys, 'keyFor'>, sealed: string, place: SecretPlace): string {
  const keyId = sealedKeyId(sealed);
  if (keyId === null) throw changed();
  return open(keys.keyFor(keyId), sealed, place);
}

export function sealedKeyId(sealed: string): string | null {
  return SEALED.exec(sealed)?.[1] ?? null;
}

export function open(key: Uint8Array, sealed: string, place: SecretPlace): string {
  const [, keyId, content = ''] = SEALED.exec(sealed) ?? [];
  const bytes = Buffer.from(content, 'base64url');
  // Decoders skip invalid characters, which would hide a change.
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

function bytesOf(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** 48 bits of a hash, which do not reveal the key. */
export function keyIdOf(key: Uint8Array): string {
  return createHash('sha256').update('agent-runtime key id').update(key).digest('base64url').slice(0, 8);
}
