import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { SECRET_FILE } from '../storage/installation/names.ts';
import { COST, passphraseKey } from './passphrase-key.ts';

const CIPHER = 'aes-256-gcm';
const contextOf = (name: string) => Buffer.from(`agent-runtime backup: ${name}`);

const base64 = z.base64();

const sealedSchema = z.object({
  cipher: z.literal(CIPHER),
  // Fixed: a file could ask for unlimited memory.
  scrypt: z.object({ N: z.literal(COST.N), r: z.literal(COST.r), p: z.literal(COST.p), salt: base64 }),
  iv: base64,
  tag: base64,
  data: base64,
});

export function seal(secret: Buffer, passphrase: string, name = SECRET_FILE): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, passphraseKey(passphrase, salt), iv).setAAD(contextOf(name));
  const data = Buffer.concat([cipher.update(secret), cipher.final()]);
  const sealed: z.output<typeof sealedSchema> = {
    cipher: CIPHER,
    scrypt: { ...COST, salt: salt.toString('base64') },
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    data: data.toString('base64'),
  };
  return JSON.stringify(sealed);
}

/** Null when the passphrase or the file name does not match. */
export function unseal(text: string, passphrase: string, name = SECRET_FILE): Buffer | null {
  const { scrypt, iv, tag, data } = sealedSchema.parse(JSON.parse(text));
  const key = passphraseKey(passphrase, Buffer.from(scrypt.salt, 'base64'));
  const decipher = createDecipheriv(CIPHER, key, Buffer.from(iv, 'base64'), { authTagLength: 16 }).setAAD(
    contextOf(name),
  );
  decipher.setAuthTag(Buffer.from(tag, 'base64'));
  try {
    return Buffer.concat([decipher.update(Buffer.from(data, 'base64')), decipher.final()]);
  } catch {
    return null;
  }
}
