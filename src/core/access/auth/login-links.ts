import { Pending, type PendingStore } from '../../limits/rates/pending.ts';
import type { StoredUser } from '../users/store.ts';
import { hashSecret, newSecret } from './secrets.ts';

/** A new password changes the session version, and voids links as it voids sessions. */
type LinkOwner = Pick<StoredUser, 'id' | 'sessionVersion'>;

/** Beyond this a new link replaces the oldest. */
const MAX_LINKS = 100;

/** Secrets of login links, each valid once. */
export class LoginLinks {
  private readonly links: Pending<LinkOwner>;

  constructor(store: PendingStore) {
    this.links = new Pending(store, { kind: 'login link', perOwner: MAX_LINKS });
  }

  async issue({ id, sessionVersion }: LinkOwner, lifetimeMs: number): Promise<string> {
    const secret = newSecret();
    await this.links.put(hashSecret(secret), { owner: '', value: { id, sessionVersion }, lifetimeMs });
    return secret;
  }

  /** Uses the secret up. Null if it is unknown, used or expired. */
  take(secret: string): Promise<LinkOwner | null> {
    return this.links.take(hashSecret(secret));
  }
}
