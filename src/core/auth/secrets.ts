import { hash, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { customAlphabet } from 'nanoid';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const newKeyId = customAlphabet(BASE62, 12);
const newSecret = customAlphabet(BASE62, 43);
const KEY = /^ar_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/;

export interface KeyParts {
  id: string;
  secret: string;
}

export function newKey(id: string = newKeyId()): KeyParts {
  return { id, secret: newSecret() };
}

/** `ar_<id>_<secret>`: recognisable by secret scanners, and the id finds the row without a search. */
export function formatKey({ id, secret }: KeyParts): string {
  return `ar_${id}_${secret}`;
}

export function parseKey(text: string): KeyParts | null {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id && secret ? { id, secret } : null;
}

/** A secret of 256 random bits needs no slow hash: it cannot be guessed, only leaked. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** In constant time. */
export function matchesHash(secret: string, known: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(known, 'hex'));
}

const scryptAsync = promisify<string, Buffer, number, Buffer>(scrypt);

export function newPassword(): string {
  return customAlphabet(BASE62, 20)();
}

const SALT_BYTES = 16;
const HASH_BYTES = 64;

/** `scrypt$<salt>$<hash>`, with Node.js' default cost (N 16384, r 8, p 1). */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return formatPassword(salt, await derive(password, salt));
}

/** Whether the password is the one of the hash. In constant time, and of the same cost for every well-formed hash. */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const [, salt, derived] = /^scrypt\$([\w-]+)\$([\w-]{86})$/.exec(passwordHash) ?? [];
  if (!salt || !derived) throw new Error('A stored password hash is not of the form scrypt$<salt>$<hash>.');
  const given = await derive(password, Buffer.from(salt, 'base64url'));
  return timingSafeEqual(given, Buffer.from(derived, 'base64url'));
}

/** What a password is compared with where there is none to compare with: nobody's, and as costly as any. */
export const NOBODYS_PASSWORD = formatPassword(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

function formatPassword(salt: Buffer, derived: Buffer): string {
  return `scrypt$${salt.toString('base64url')}$${derived.toString('base64url')}`;
}

/** One password, however a keyboard composes its accents. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return scryptAsync(password.normalize('NFC'), salt, HASH_BYTES);
}
