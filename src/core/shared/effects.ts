import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import type { Hashing } from '../auth/password-hash.ts';

/** What the core asks of its environment; injected by tests. */
export interface Effects {
  /** Epoch milliseconds. */
  now(): number;
  /** A UUIDv7: unique, and later ones of this process sort after earlier ones. */
  newId(): string;
  /** How passwords are hashed; scrypt by default. */
  hashing?: Hashing;
}

const ID_BYTES = 16;
const pool = new Uint8Array(ID_BYTES * 256);
let used = pool.length;

/** From a pool: a system call per id was the largest cost of an ingest. */
function randomBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += ID_BYTES;
  return pool.subarray(used - ID_BYTES, used);
}

let lastMs = 0;
let sequence = 0;

function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // A random start in the lower 16 of the 32 bits leaves room to count within the millisecond.
    sequence = (random[0]! << 8) | random[1]!;
  } else {
    sequence += 1;
  }
  return v7({ msecs: lastMs, seq: sequence, random });
}

export const realEffects: Effects = { now: () => Date.now(), newId };
