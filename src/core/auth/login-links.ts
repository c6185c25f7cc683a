import type { StoredUser } from '../users/store.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A new password changes the session version, and voids links as it voids sessions. */
type LinkOwner = Pick<StoredUser, 'id' | 'sessionVersion'>;

interface Link {
  owner: LinkOwner;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Beyond this a new link replaces the oldest. */
const MAX_LINKS = 100;

/** Secrets of login links, each valid once. In memory only: a restart voids them. */
export class LoginLinks {
  private readonly now: () => number;
  /** By the hash of the secret, oldest first. */
  private readonly links = new Map<string, Link>();

  constructor(now: () => number) {
    this.now = now;
  }

  issue({ id, sessionVersion }: LinkOwner, lifetimeMs: number): string {
    const secret = newSecret();
    const [oldest] = this.links.keys();
    if (this.links.size >= MAX_LINKS && oldest !== undefined) this.links.delete(oldest);
    this.links.set(hashSecret(secret), { owner: { id, sessionVersion }, expiresAt: this.now() + lifetimeMs });
    return secret;
  }

  /** Uses the secret up. Null if it is unknown, used or expired. */
  take(secret: string): LinkOwner | null {
    const hash = hashSecret(secret);
    const link = this.links.get(hash);
    this.links.delete(hash);
    return link && link.expiresAt > this.now() ? link.owner : null;
  }
}
