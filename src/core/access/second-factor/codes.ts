import type { SecretPlace } from '../../base/sealing/sealing.ts';
import { hashSecret, randomText } from '../auth/secrets.ts';

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, thirty seconds. */
const PERIOD_SECONDS = 30;

/** Loaded when it is first needed: a server at rest does not hold it. */
const otplib = () => import('otplib');

export async function newTotpSecret(): Promise<string> {
  const { generateSecret } = await otplib();
  return generateSecret();
}

/** The text of the QR code. Apps tell entries apart by issuer and label. */
export async function totpUri(secret: string, { issuer, label }: { issuer: string; label: string }): Promise<string> {
  const { generateURI } = await otplib();
  return generateURI({ issuer, label, secret });
}

/**
 * The time step of the code: the current one, the one before or the next (clocks differ). Null for
 * a wrong code.
 */
export async function stepOfCode(secret: string, code: string, now: number): Promise<number | null> {
  const { verify } = await otplib();
  const epoch = Math.floor(now / 1_000);
  const result = await verify({ secret, token: code, epoch, epochTolerance: PERIOD_SECONDS });
  // The type has HOTP's result, too, which has no step.
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

export function totpPlace(tenantId: string, userId: string): SecretPlace {
  return ['totp', tenantId, userId];
}

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
 * The hash of a code in any case, with or without hyphens, O for 0, I or L for 1. A fast hash is
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
