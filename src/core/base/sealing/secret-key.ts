import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** Never rename one: it derives the key. */
export type SecretUse =
  | 'portal tokens'
  /** Wraps the keys of the key ring when the secret is a setting. */
  | 'sealing keys'
  | 'device cookies'
  | 'pending logins'
  | 'refresh tokens'
  | 'names of failed logins'
  | 'backups';

export interface SecretKey {
  /** 32 bytes, always the same. Throws when the secret can be neither read nor created. */
  keyFor(use: SecretUse): Uint8Array;
}

/** HKDF-SHA-256. A random secret needs neither salt nor stretching. */
export function deriveKey(secret: string, use: SecretUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `agent-runtime: ${use}`, KEY_BYTES));
}
