import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Cost of scrypt. Memory in bytes: 128 * 2^ln * r. Work: proportional to 2^ln * r * p. */
interface Cost {
  /** log2 of N. */
  ln: number;
  r: number;
  p: number;
}

/**
 * One of the equivalent rows of OWASP's Password Storage Cheat Sheet: 16 MB, about 0.2 s of one processor. Every
 * supported Node.js has scrypt; argon2id came with Node.js 24 only, and hashes outlive the Node.js that made them.
 */
const CURRENT: Cost = { ln: 14, r: 8, p: 5 };
/** Of hashes made by version 0.1, which do not name it. */
const VERSION_0_1: Cost = { ln: 14, r: 8, p: 1 };
/** A hash that asks for more was not made here: 128 MB, and ten times the work of today. */
const MOST = { memory: 128 * 2 ** 20, work: 10 * workOf(CURRENT) };

const SALT_BYTES = 16;
const HASH_BYTES = 64;

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{86})$/;
const WITHOUT_COST = /^scrypt\$([\w-]+)\$([\w-]{86})$/;

/** `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`: the PHC string format, which names the cost. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return format(salt, await derive(password, salt, CURRENT));
}

/**
 * Whether the password is the one of the hash. In constant time, and of the same cost for every hash that costs no
 * more than a new one: an answer must not tell how old a user's password is. Throws for a malformed hash.
 */
export async function verifyPassword(password: string, passwordHash: string): Promise<boolean> {
  const { cost, salt, derived } = parse(passwordHash);
  const given = await derive(password, salt, cost);
  const p = Math.round((workOf(CURRENT) - workOf(cost)) / workOf({ ...CURRENT, p: 1 }));
  if (p > 0) await derive(password, salt, { ...CURRENT, p });
  return timingSafeEqual(given, derived);
}

/** Whether a new hash of the same password would have another cost: it is made at the next login. */
export function isOutdated(passwordHash: string): boolean {
  const { ln, r, p } = parse(passwordHash).cost;
  return ln !== CURRENT.ln || r !== CURRENT.r || p !== CURRENT.p;
}

/** Compared with where a user has no password or does not exist, at the usual cost. No password fits it. */
export const DUMMY_HASH = format(randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));

function parse(passwordHash: string): { cost: Cost; salt: Buffer; derived: Buffer } {
  const [, ln, r, p, salt, hash] = PHC.exec(passwordHash) ?? [];
  if (salt && hash) {
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    if (!isSane(cost)) throw new Error('A stored password hash asks for a cost that this program never uses.');
    return { cost, salt: Buffer.from(salt, 'base64'), derived: Buffer.from(hash, 'base64') };
  }
  const [, oldSalt, oldHash] = WITHOUT_COST.exec(passwordHash) ?? [];
  if (!oldSalt || !oldHash) {
    throw new Error('A stored password hash is not of the form $scrypt$ln=...,r=...,p=...$<salt>$<hash>.');
  }
  return { cost: VERSION_0_1, salt: Buffer.from(oldSalt, 'base64url'), derived: Buffer.from(oldHash, 'base64url') };
}

function isSane(cost: Cost): boolean {
  const { ln, r, p } = cost;
  return ln > 0 && r > 0 && p > 0 && memoryOf(cost) <= MOST.memory && workOf(cost) <= MOST.work;
}

function memoryOf({ ln, r }: Cost): number {
  return 128 * 2 ** ln * r;
}

function workOf({ ln, r, p }: Cost): number {
  return 2 ** ln * r * p;
}

function format(salt: Buffer, derived: Buffer): string {
  const { ln, r, p } = CURRENT;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(derived)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

const scryptAsync = promisify<string, Buffer, number, object, Buffer>(scrypt);

/** Accents count alike however a keyboard composes them. OpenSSL wants some room beside the memory itself. */
function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const { ln, r, p } = cost;
  return scryptAsync(password.normalize('NFC'), salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: 2 * memoryOf(cost) });
}
