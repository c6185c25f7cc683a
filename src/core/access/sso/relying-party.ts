import type { ProviderCheck } from './schema.ts';
import type { StoredIdentityProvider } from './store.ts';

/** With its secret: never show, log or record it. */
export interface OpenedProvider extends StoredIdentityProvider {
  clientSecret: string | null;
}

/** Claims of the ID token, completed from the UserInfo endpoint where some are missing. */
export interface IdTokenClaims {
  iss: string;
  sub: string;
  [name: string]: unknown;
}

export interface LogoutClaims {
  iss: string;
  jti: string;
  sub: string | null;
  sid: string | null;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** A JWT whose signature is the provider's; what it says is not checked. */
export interface SignedJwt {
  /** As the discovery document names it. */
  issuer: string;
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** Secrets that bind an answer of the provider to its request. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A fault of a provider. The message has no secret and names no address of the network. */
export class IdentityProviderFault extends Error {
  /**
   * `cancelled`: the person refused. `client`: id, secret or redirect URI do not fit. `clock`: the
   * clocks differ. `rejected`: the answer is not to be trusted.
   */
  readonly kind: 'unreachable' | 'discovery' | 'client' | 'cancelled' | 'clock' | 'rejected';

  constructor(kind: IdentityProviderFault['kind'], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'IdentityProviderFault';
    this.kind = kind;
  }
}

/**
 * OpenID Connect with one provider. All reject with an IdentityProviderFault; requests are bounded
 * in time and size.
 */
export interface RelyingParty {
  /** With PKCE (S256), state and nonce. */
  authorizationUrl(provider: OpenedProvider, redirectUri: string, secrets: LoginSecrets): Promise<URL>;
  /**
   * `answer` is the redirect URI with the parameters of the provider. Checks `iss`, state, nonce,
   * signature and times.
   */
  claims(provider: OpenedProvider, answer: URL, secrets: LoginSecrets): Promise<IdTokenClaims>;
  /** Checks the token by OpenID Connect Back-Channel Logout 1.0, 2.6, all but the repetition. */
  logoutClaims(provider: OpenedProvider, token: string): Promise<LogoutClaims>;
  /** A key of the provider's key set has signed it, with an asymmetric algorithm. */
  signedJwt(provider: OpenedProvider, token: string): Promise<SignedJwt>;
  examine(provider: OpenedProvider, redirectUri: string): Promise<ProviderCheck>;
}
