import { hash, randomInt, timingSafeEqual } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^ar_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})$/;

export interface KeyParts {
  id: string;
  secret: string;
}

/** Every character has the same chance, whatever the length of the alphabet. */
export function randomText(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function newSecret(): string {
  return randomText(BASE62, 43);
}

/** The secret of a link to a dashboard; the log recognises `arl_`. */
export function newLinkSecret(): string {
  return `arl_${newSecret()}`;
}

export function newKey(id: string = randomText(BASE62, 12)): KeyParts {
  return { id, secret: newSecret() };
}

/** Secret scanners recognise `ar_`; the id is the row's primary key. */
export function formatKey({ id, secret }: KeyParts): string {
  return `ar_${id}_${secret}`;
}

export function parseKey(text: string): KeyParts | null {
  const [, id, secret] = KEY.exec(text) ?? [];
  return id && secret ? { id, secret } : null;
}

/** A fast hash is enough: a secret of 256 random bits cannot be guessed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** In constant time. */
export function matchesHash(secret: string, known: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret), 'hex'), Buffer.from(known, 'hex'));
}

export function newPassword(): string {
  return randomText(BASE62, 20);
}
