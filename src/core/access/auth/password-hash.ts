import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { Limiter } from '../../base/concurrency/limiter.ts';
import type { Hashing } from '../../base/shared/effects.ts';

/** Cost of scrypt; `ln` is log2 of N. */
interface Cost {
  ln: number;
  r: number;
  p: number;
}

const OWASP: Cost = { ln: 14, r: 8, p: 5 };
/** Limits for the cost that a stored hash names. */
const MAX_COST = { memory: 128 * 2 ** 20, work: 10 * workOf(OWASP) };

const SALT_BYTES = 16;
const HASH_BYTES = 64;

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]{86})$/;

/** OWASP Password Storage Cheat Sheet: 16 MB, about 0.2 s. argon2id would need Node.js 24. */
export const SCRYPT = scryptHashing(OWASP);

/** In the PHC string format: `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export function scryptHashing(cost: Cost): Hashing {
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      return format(cost, salt, await derive(password, salt, cost));
    },
    verify: async (password, passwordHash) => {
      const stored = parse(passwordHash);
      const derived = await derive(password, stored.salt, stored.cost);
      const missing = Math.round((workOf(cost) - workOf(stored.cost)) / workOf({ ...cost, p: 1 }));
      if (missing > 0) await derive(password, stored.salt, { ...cost, p: missing });
      return timingSafeEqual(derived, stored.derived);
    },
    isOutdated: (passwordHash) => {
      const { ln, r, p } = parse(passwordHash).cost;
      return ln !== cost.ln || r !== cost.r || p !== cost.p;
    },
    dummyHash: format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES)),
  };
}

function parse(passwordHash: string): { cost: Cost; salt: Buffer; derived: Buffer } {
  const [, ln, r, p, salt, hash] = PHC.exec(passwordHash) ?? [];
  if (!salt || !hash) {
    throw new Error('A stored password hash is not of the form $scrypt$ln=...,r=...,p=...$<salt>$<hash>.');
  }
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (!isSane(cost)) throw new Error('A stored password hash asks for a cost that this program never uses.');
  return { cost, salt: Buffer.from(salt, 'base64'), derived: Buffer.from(hash, 'base64') };
}

function isSane(cost: Cost): boolean {
  const { ln, r, p } = cost;
  return ln > 0 && r > 0 && p > 0 && memoryOf(cost) <= MAX_COST.memory && workOf(cost) <= MAX_COST.work;
}

function memoryOf({ ln, r }: Cost): number {
  return 128 * 2 ** ln * r;
}

function workOf({ ln, r, p }: Cost): number {
  return 2 ** ln * r * p;
}

function format({ ln, r, p }: Cost, salt: Buffer, derived: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${unpadded(salt)}$${unpadded(derived)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

/** `maxmem` is doubled, because OpenSSL needs memory of its own. */
function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  const { ln, r, p } = cost;
  const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryOf(cost) };
  return promisify<string, Buffer, number, object, Buffer>(scrypt)(
    password.normalize('NFC'),
    salt,
    HASH_BYTES,
    options,
  );
}

/** A hash takes 16 MB and a thread for 0.2 s. Unknown clients cannot fill known clients' slots. */
const LANE = { concurrency: 2, maxQueue: 16, rejection: 'Too many passwords are being checked at once. Try again.' };

/** `known`: the client is authenticated or has a valid device cookie. */
export type Lane = 'known' | 'unknown';

/** Limits concurrent hashing. Throws `unavailable` when the queue is full. */
export class PasswordHasher {
  private readonly hashing: Hashing;
  private readonly lanes: Record<Lane, Limiter> = { known: new Limiter(LANE), unknown: new Limiter(LANE) };

  constructor(hashing: Hashing = SCRYPT) {
    this.hashing = hashing;
  }

  get dummyHash(): string {
    return this.hashing.dummyHash;
  }

  hash(password: string): Promise<string> {
    return this.lanes.known.run(() => this.hashing.hash(password));
  }

  verify(password: string, passwordHash: string, lane: Lane, signal?: AbortSignal): Promise<boolean> {
    return this.lanes[lane].run(() => this.hashing.verify(password, passwordHash), signal);
  }

  isOutdated(passwordHash: string): boolean {
    return this.hashing.isOutdated(passwordHash);
  }
}
