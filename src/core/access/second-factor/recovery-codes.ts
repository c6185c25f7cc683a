import { hashSecret, randomText } from '../auth/secrets.ts';

const COUNT = 10;
/** Crockford's Base32, without letters that are taken for digits. 16 characters are 80 bits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

export interface RecoveryCodes {
  /** To be shown once: `xxxx-xxxx-xxxx-xxxx`. */
  codes: string[];
  hashes: string[];
}

export function newRecoveryCodes(): RecoveryCodes {
  const codes = Array.from({ length: COUNT }, () => randomText(ALPHABET, LENGTH));
  return { codes: codes.map((code) => code.match(/.{4}/g)!.join('-')), hashes: codes.map(hashSecret) };
}

/**
 * As people type it: in any case, with or without hyphens, O for 0, I or L for 1. A fast hash is
 * enough for 80 random bits.
 */
export function hashOfRecoveryCode(typed: string): string {
  const code = typed
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return hashSecret(code);
}
