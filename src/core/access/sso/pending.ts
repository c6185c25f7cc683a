import { createHash, randomBytes } from 'node:crypto';
import { open, seal, UnopenableSecret } from '../../base/sealing/sealing.ts';
import type { SecretKey } from '../../base/sealing/secret-key.ts';
import type { LoginSecrets } from './relying-party.ts';
import type { StoredIdentityProvider } from './store.ts';

/** Long enough for a second factor at the provider. */
export const PENDING_SECONDS = 15 * 60;

const MAX_COOKIE = 3_900;
const MAX_DEVICE = 800;
const MAX_PATH = 1_000;

/** A login that waits for the answer of its provider. Times are epoch milliseconds. */
export interface PendingLogin extends LoginSecrets {
  providerUid: string;
  redirectUri: string;
  /** The page to return to, a path of this site. */
  to: string;
  /**
   * The value of the device cookie, which browsers do not send with the answer: that comes from
   * another site.
   */
  device: string | null;
  expiresAt: number;
}

/** For the browser alone, in a sealed cookie: any process of the installation can go on with it. */
export class PendingLogins {
  private readonly secretKey: SecretKey;
  private readonly now: () => number;

  constructor(secretKey: SecretKey, now: () => number) {
    this.secretKey = secretKey;
    this.now = now;
  }

  begin(
    provider: StoredIdentityProvider,
    { redirectUri, to, device }: { redirectUri: string; to: unknown; device?: string | undefined },
  ) {
    const pending: PendingLogin = {
      providerUid: provider.uid,
      redirectUri,
      to: safePath(to),
      device: device !== undefined && device.length <= MAX_DEVICE ? device : null,
      state: secret(),
      nonce: secret(),
      codeVerifier: secret(),
      expiresAt: this.now() + PENDING_SECONDS * 1_000,
    };
    return { pending, cookie: seal(this.key(), JSON.stringify(pending), placeFor(provider)) };
  }

  /**
   * The pending login of the state, of those that the browser has for the provider. Null if none is
   * valid.
   */
  find(provider: StoredIdentityProvider, cookies: readonly string[], state: string | null): PendingLogin | null {
    const opened = cookies.flatMap((cookie) => this.opened(cookie, provider) ?? []);
    return opened.find((pending) => pending.state === state && pending.expiresAt > this.now()) ?? null;
  }

  private opened(cookie: string, provider: StoredIdentityProvider): PendingLogin | null {
    if (cookie.length > MAX_COOKIE) return null;
    try {
      return JSON.parse(open(this.key(), cookie, placeFor(provider))) as PendingLogin;
    } catch (error) {
      if (error instanceof UnopenableSecret) return null;
      throw error;
    }
  }

  private key(): Uint8Array {
    return this.secretKey.keyFor('pending logins');
  }
}

/** Names what may be used once, without holding it. */
export function usedName(kind: 'state' | 'logout' | 'id-jag', ...parts: string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('base64url');
}

/**
 * A cookie of one provider is none of another, nor of another issuer: the code would be sent there.
 */
function placeFor({ uid, issuer }: StoredIdentityProvider) {
  return ['pending login', uid, issuer];
}

/** 256 bits, also within PKCE's alphabet and length. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

/** A path of this site, or its first page: a link must not lead to another site. */
export function safePath(to: unknown): string {
  if (typeof to !== 'string' || to.length > MAX_PATH || !/^\/(?![/\\])[\x21-\x7e]*$/.test(to)) return '/';
  const url = URL.parse(to, 'http://localhost');
  const isSame = url?.origin === 'http://localhost' && url.href === `http://localhost${to}`;
  return isSame ? to : '/';
}
