import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** Uses of the installation's secret. Never rename one: it derives the key. */
export type SecretUse =
  | 'portal tokens'
  /** Sealed secrets in version 0.1; the key ring imports it while stored secrets need it. */
  | 'stored secrets'
  /** Wraps the keys of the key ring when the secret is a setting. */
  | 'sealing keys'
  | 'device cookies'
  | 'backups';

/** The installation's secret, which is never exposed: each use has its own derived key. */
export interface SecretKey {
  /** 32 bytes, the same at every start. Throws when the secret can be neither read nor created. */
  keyFor(use: SecretUse): Uint8Array;
}

/** HKDF-SHA-256 with the use as label. A random secret needs neither salt nor stretching. */
export function deriveKey(secret: string, use: SecretUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `agent-runtime: ${use}`, KEY_BYTES));
}
