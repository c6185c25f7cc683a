import { scryptSync } from 'node:crypto';

/** One guess at a passphrase takes 0.25 s and 128 MB. */
export const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;

/** Each use needs its own salt. */
export function passphraseKey(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(normalized(passphrase), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY });
}

export function normalized(passphrase: string): string {
  return passphrase.normalize('NFC');
}
