import { Limiter } from '../shared/limiter.ts';
import { hashPassword, isOutdated, verifyPassword } from './password-hash.ts';

/** How passwords are hashed: tests put something faster in its place. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(password: string, passwordHash: string): Promise<boolean>;
  isOutdated(passwordHash: string): boolean;
}

const SCRYPT: Hashing = { hash: hashPassword, verify: verifyPassword, isOutdated };

/**
 * Each hash holds one thread of libuv's pool and 16 MB for about 0.2 s: four at once are 64 MB, and leave most of the
 * pool's threads to files. Strangers have two of the four, so that no number of them keeps known clients waiting.
 */
const LANE = { concurrency: 2, maxQueue: 16, rejection: 'Too many passwords are being checked at once. Try again.' };

/** Who asks: a client that has authenticated or has a valid device cookie, or any other. */
export type Lane = 'known' | 'stranger';

/** Bounds how many passwords are hashed at once. Throws `unavailable` when too many wait. */
export class PasswordHasher {
  private readonly hashing: Hashing;
  private readonly lanes: Record<Lane, Limiter> = { known: new Limiter(LANE), stranger: new Limiter(LANE) };

  constructor(hashing: Hashing = SCRYPT) {
    this.hashing = hashing;
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
