import { scryptSync } from 'node:crypto';

/** A quarter of a second and 128 MB for each guess at a passphrase. */
export const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAX_MEMORY = 256 * 1024 * 1024;
const KEY_BYTES = 32;

/** The key of a passphrase, however its accents are composed. Each use has a salt of its own. */
export function passphraseKey(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(normalized(passphrase), salt, KEY_BYTES, { ...COST, maxmem: MAX_MEMORY });
}

/** As every use of a passphrase takes it. */
export function normalized(passphrase: string): string {
  return passphrase.normalize('NFC');
}
