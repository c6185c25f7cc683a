import { hashSecret, newSecret } from './secrets.ts';

interface Link {
  userId: string;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** The oldest gives way. */
const MAX_LINKS = 100;

/** Secrets that log a user in once. In memory alone: a restart ends them. */
export class LoginLinks {
  private readonly now: () => number;
  /** By the hash of the secret, oldest first. */
  private readonly links = new Map<string, Link>();

  constructor(now: () => number) {
    this.now = now;
  }

  issue(userId: string, lifetimeMs: number): string {
    const secret = newSecret();
    const [oldest] = this.links.keys();
    if (this.links.size >= MAX_LINKS && oldest !== undefined) this.links.delete(oldest);
    this.links.set(hashSecret(secret), { userId, expiresAt: this.now() + lifetimeMs });
    return secret;
  }

  /** The user of an unused secret, which is used then. */
  take(secret: string): string | null {
    const hash = hashSecret(secret);
    const link = this.links.get(hash);
    this.links.delete(hash);
    return link && link.expiresAt > this.now() ? link.userId : null;
  }
}
