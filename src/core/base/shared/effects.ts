import { randomFillSync } from 'node:crypto';

export interface Hashing {
  hash(password: string): Promise<string>;
  /** Takes the same time for every hash up to the current cost. Throws for a malformed hash. */
  verify(password: string, passwordHash: string): Promise<boolean>;
  isOutdated(passwordHash: string): boolean;
  /** Compared for unknown users and users without a password, at the usual cost. */
  readonly dummyHash: string;
}

export interface Effects {
  /** Epoch milliseconds. */
  now(): number;
  /** UUIDv7: later ones of this process sort after earlier ones. */
  newId(): string;
  hashing?: Hashing;
}

const ID_BYTES = 16;
const pool = Buffer.alloc(ID_BYTES * 256);
let used = pool.length;

/** From a pool: a system call per id was the largest cost of an ingest. */
function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

let lastMs = 0;
let sequence = 0;

/** RFC 9562, 5.7: the time, then a counter of 32 bits, then 42 random bits. */
function newIdAt(now: number): string {
  const bytes = randomBytes();
  if (now > lastMs) {
    lastMs = now;
    // The random start has 16 of the 32 bits, so that counting cannot overflow.
    sequence = bytes.readUInt16BE(0);
  } else {
    sequence += 1;
  }
  bytes.writeUIntBE(lastMs, 0, 6);
  bytes.writeUInt16BE(0x7000 | (sequence >>> 20), 6);
  bytes.writeUInt16BE(0x8000 | ((sequence >>> 6) & 0x3fff), 8);
  bytes[10] = ((sequence & 0x3f) << 2) | (bytes[10]! & 3);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The real effects by another clock than this machine's. */
export function effectsBy(now: () => number): Effects {
  return { now, newId: () => newIdAt(now()) };
}

export const realEffects: Effects = effectsBy(() => Date.now());
