import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { passphraseKey } from './passphrase-key.ts';

/* The manifest has every entry's SHA-256, so its MAC authenticates the whole backup. */

export const MAC_FILE = 'agent-runtime-backup.mac';

const hex = z.string().regex(/^[0-9a-f]+$/);

const macSchema = z.object({
  algorithm: z.literal('HMAC-SHA-256'),
  /** `keyId` distinguishes a backup of another installation from a changed one. */
  installation: z.object({ keyId: hex, mac: hex }),
  passphrase: z.object({ salt: z.base64(), mac: hex }).optional(),
});

export interface BackupKeys {
  installation: Uint8Array | null;
  passphrase?: string | undefined;
}

/** `unknown`: no key here verifies it. `mismatched`: another passphrase, or a changed backup. */
export type Authenticity = 'authentic' | 'changed' | 'mismatched' | 'unknown';

export function macOf(
  manifest: string,
  { installation, passphrase }: { installation: Uint8Array; passphrase?: string | undefined },
): string {
  const mac: z.output<typeof macSchema> = {
    algorithm: 'HMAC-SHA-256',
    installation: { keyId: keyIdOf(installation), mac: hmac(installation, manifest) },
    ...(passphrase !== undefined && { passphrase: underPassphrase(manifest, passphrase, randomBytes(16)) }),
  };
  return JSON.stringify(mac);
}

/** `mac`: the text of the MAC entry. Throws when it is malformed. */
export function authenticityOf(manifest: string, mac: string, keys: BackupKeys): Authenticity {
  const { installation, passphrase } = macSchema.parse(JSON.parse(mac));
  if (keys.installation && installation.keyId === keyIdOf(keys.installation)) {
    return areEqual(installation.mac, hmac(keys.installation, manifest)) ? 'authentic' : 'changed';
  }
  if (keys.passphrase === undefined || !passphrase) return 'unknown';
  const expected = underPassphrase(manifest, keys.passphrase, Buffer.from(passphrase.salt, 'base64'));
  return areEqual(passphrase.mac, expected.mac) ? 'authentic' : 'mismatched';
}

function underPassphrase(manifest: string, passphrase: string, salt: Buffer): { salt: string; mac: string } {
  return { salt: salt.toString('base64'), mac: hmac(passphraseKey(passphrase, salt), manifest) };
}

function keyIdOf(key: Uint8Array): string {
  return hmac(key, 'key id').slice(0, 16);
}

function hmac(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
