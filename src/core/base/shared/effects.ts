import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

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

function newIdAt(now: number): string {
  const random = randomBytes();
  if (now > lastMs) {
    lastMs = now;
    // The random start has 16 of the 32 bits, so that counting cannot overflow.
    sequence = (random[0]! << 8) | random[1]!;
  } else {
    sequence += 1;
  }
  return v7({ msecs: lastMs, seq: sequence, random });
}

/** The real effects by another clock than this machine's. */
export function effectsBy(now: () => number): Effects {
  return { now, newId: () => newIdAt(now()) };
}

export const realEffects: Effects = effectsBy(() => Date.now());
