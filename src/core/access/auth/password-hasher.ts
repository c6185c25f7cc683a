import { Limiter } from '../../base/concurrency/limiter.ts';
import type { Hashing } from '../../base/shared/effects.ts';
import { SCRYPT } from './password-hash.ts';

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
