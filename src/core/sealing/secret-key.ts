import { hkdfSync } from 'node:crypto';

const KEY_BYTES = 32;

/** What the installation's secret is used for. A new use joins here; none is ever renamed. */
export type SecretUse =
  | 'portal tokens'
  /** Version 0.1 sealed with it; today it is taken into the key ring where stored secrets still need it. */
  | 'stored secrets'
  /** Wraps the keys of the key ring, where the secret is given as a setting. */
  | 'sealing keys'
  | 'device cookies'
  | 'backups';

/** The installation's own secret. It never leaves here: each use has a key of its own that tells nothing of the others. */
export interface SecretKey {
  /** 32 bytes, the same at every start. Throws when the secret can be neither read nor made. */
  keyFor(use: SecretUse): Uint8Array;
}

/** HKDF-SHA-256, the use as its label. The secret is random, so it needs neither salt nor stretching. */
export function deriveKey(secret: string, use: SecretUse): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', `agent-runtime: ${use}`, KEY_BYTES));
}
