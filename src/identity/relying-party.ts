import type { JSONWebKeySet } from 'jose';
import { JOSEError } from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify } from 'jose/jwt/verify';
import * as client from 'openid-client';
import { claimValues, isVisible } from '../core/access/sso/claims.ts';
import {
  IdentityProviderFault,
  type IdTokenClaims,
  type LoginSecrets,
  type LogoutClaims,
  type OpenedProvider,
  type RelyingParty,
} from '../core/access/sso/relying-party.ts';
import { isGoogle, isOfSeveralDirectories } from '../core/access/sso/rules.ts';
import type { ProviderCheck } from '../core/access/sso/schema.ts';
import { examineProvider } from './examine.ts';
import { identityFaultOf } from './faults.ts';
import type { IdentityRequests } from './fetch.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Asymmetric algorithms only: knowing the client secret must not suffice to end sessions. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const MAX_LENGTH = 20_000;
/** A token is sent immediately. */
const MAX_AGE_SECONDS = 10 * 60;
export const TOLERANCE_SECONDS = 60;

/**
 * OpenID Connect Back-Channel Logout 1.0, 2.6. The caller uses `jti` up. Rejects with an
 * IdentityProviderFault.
 */
export async function verifyLogoutToken(
  token: string,
  { issuer, clientId, keys, now }: { issuer: string; clientId: string; keys: JSONWebKeySet; now: number },
): Promise<LogoutClaims> {
  if (token.length > MAX_LENGTH) throw refused('is too long');
  const { payload, protectedHeader } = await verified(token, { issuer, clientId, keys, now });
  const { events, nonce, sub, sid, jti } = payload;
  if (protectedHeader.typ !== undefined && !/^(logout\+)?jwt$/i.test(protectedHeader.typ))
    throw refused('has another typ');
  if (nonce !== undefined) throw refused('has a nonce, as ID tokens do');
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
  if (typeof event !== 'object' || event === null) throw refused('does not tell of a logout');
  if (typeof jti !== 'string' || jti === '') throw refused('has no jti');
  if ([sub, sid].some((value) => value !== undefined && !isVisible(value))) throw refused('has an empty sub or sid');
  if (sub === undefined && sid === undefined) throw refused('names neither a subject nor a session');
  // Afterwards its age refuses it.
  const expiresAt = now + (MAX_AGE_SECONDS + 2 * TOLERANCE_SECONDS) * 1_000;
  return { iss: issuer, jti, sub: sub ?? null, sid: isVisible(sid) ? sid : null, expiresAt };
}

async function verified(
  token: string,
  { issuer, clientId, keys, now }: { issuer: string; clientId: string; keys: JSONWebKeySet; now: number },
) {
  try {
    return await jwtVerify(token, createLocalJWKSet(keys), {
      ...{ issuer, audience: clientId, algorithms: ALGORITHMS, clockTolerance: TOLERANCE_SECONDS },
      ...{ maxTokenAge: MAX_AGE_SECONDS, currentDate: new Date(now), requiredClaims: ['iat', 'exp', 'jti', 'events'] },
    });
  } catch (error) {
    if (error instanceof JOSEError || error instanceof TypeError)
      throw refused(`is not valid (${codeOf(error)})`, error);
    throw error;
  }
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

function refused(why: string, cause?: unknown): IdentityProviderFault {
  return new IdentityProviderFault('rejected', `the logout token ${why}`, cause);
}

const TIMEOUT_SECONDS = 10;
/** Discovery documents hardly ever change. */
const DISCOVERY_MS = 10 * 60_000;
/**
 * For logout tokens, which anybody can send. Keys of logins are read each time, so that rotated
 * ones count immediately.
 */
const LOGOUT_KEYS_MS = 10_000;

interface RelyingPartyParts {
  requests: IdentityRequests;
  now: () => number;
}

/** OpenID Connect by openid-client. */
export class OpenidRelyingParty implements RelyingParty {
  private readonly parts: RelyingPartyParts;

  constructor(parts: RelyingPartyParts) {
    this.parts = parts;
  }

  async authorizationUrl(provider: OpenedProvider, redirectUri: string, secrets: LoginSecrets): Promise<URL> {
    const configuration = await this.configurationOf(provider);
    const { state, nonce, codeVerifier } = secrets;
    const [domain, ...otherDomains] = provider.allowedDomains;
    const parameters = {
      redirect_uri: redirectUri,
      scope: [...new Set(['openid', ...provider.scopes])].join(' '),
      ...{ state, nonce, code_challenge: await client.calculatePKCECodeChallenge(codeVerifier) },
      code_challenge_method: 'S256',
      // Google then shows accounts of this Workspace alone; the claim is checked afterwards.
      ...(isGoogle(provider.issuer) && domain !== undefined && otherDomains.length === 0 ? { hd: domain } : {}),
    };
    try {
      return client.buildAuthorizationUrl(configuration, parameters);
    } catch (error) {
      const message = 'the provider names no authorization endpoint that browsers may be led to';
      throw new IdentityProviderFault('discovery', message, error);
    }
  }

  async claims(
    provider: OpenedProvider,
    answer: URL,
    { state, nonce, codeVerifier }: LoginSecrets,
  ): Promise<IdTokenClaims> {
    const configuration = await this.configurationOf(provider);
    try {
      const tokens = await client.authorizationCodeGrant(configuration, answer, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier },
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new IdentityProviderFault('rejected', 'the provider sent no ID token');
      // The library does not compare it.
      if (claims.iat > this.parts.now() / 1_000 + TOLERANCE_SECONDS) {
        throw new IdentityProviderFault(
          'clock',
          'the ID token is from the future: compare the clocks of both machines',
        );
      }
      if (!lacksClaims(provider, claims) || !configuration.serverMetadata().userinfo_endpoint) return claims;
      const more = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      // E-mail and its verification of one source.
      const { email_verified: _, ...others } = more;
      const { email_verified: __, ...own } = claims;
      return claims.email === undefined ? { ...more, ...own } : { ...others, ...claims };
    } catch (error) {
      throw identityFaultOf(error);
    }
  }

  async logoutClaims(provider: OpenedProvider, token: string): Promise<LogoutClaims> {
    const { issuer, jwks_uri: address } = (await this.configurationOf(provider)).serverMetadata();
    if (address === undefined) throw new IdentityProviderFault('discovery', 'the provider names no key set');
    const keys = await this.keysAt(provider, address, LOGOUT_KEYS_MS);
    return verifyLogoutToken(token, { issuer, clientId: provider.clientId, keys, now: this.parts.now() });
  }

  examine(provider: OpenedProvider, redirectUri: string): Promise<ProviderCheck> {
    return examineProvider(provider, redirectUri, {
      configurationWith: (clientAuthentication) =>
        this.configurationOf({ ...provider, clientAuthentication }, { isCached: false }),
      keysAt: (address) => this.keysAt(provider, address),
    });
  }

  private async keysAt(provider: OpenedProvider, address: string, cachedMs?: number) {
    const { requests } = this.parts;
    if (!address.startsWith('https:') && !provider.issuer.startsWith('http:')) {
      throw new IdentityProviderFault('discovery', 'the key set of the provider is not at an https address');
    }
    const fetch = cachedMs === undefined ? requests.fetchFor(provider) : requests.documentsFor(provider, cachedMs);
    const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1_000);
    const response = await fetch(address, { headers: { accept: 'application/json' }, signal });
    if (response.status !== 200) {
      throw new IdentityProviderFault(
        'discovery',
        `the key set of the provider is not there (status ${response.status})`,
      );
    }
    try {
      return (await response.json()) as { keys: object[] };
    } catch (error) {
      throw new IdentityProviderFault('discovery', 'the key set of the provider is not JSON', error);
    }
  }

  /** A new one each time, so that keys are not cached: only the discovery document is. */
  private async configurationOf(
    provider: OpenedProvider,
    { isCached } = { isCached: true },
  ): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = provider;
    const { requests } = this.parts;
    const fetch = requests.fetchFor(provider) as client.CustomFetch;
    const discover = isCached ? (requests.documentsFor(provider, DISCOVERY_MS) as client.CustomFetch) : fetch;
    const isHttp = issuer.startsWith('http:');
    try {
      const configuration = await client.discovery(
        new URL(issuer),
        clientId,
        {
          [client.clockTolerance]: TOLERANCE_SECONDS,
          ...(clientSecret === null ? {} : { client_secret: clientSecret }),
        },
        authenticationOf(provider),
        {
          [client.customFetch]: discover,
          timeout: TIMEOUT_SECONDS,
          // Signatures of ID tokens, which the library does not check by default: they come over
          // TLS.
          execute: [client.enableNonRepudiationChecks, ...(isHttp ? [client.allowInsecureRequests] : [])],
        },
      );
      const named = configuration.serverMetadata().issuer;
      // The library makes exceptions, for documents at other places and for Azure AD B2C.
      if (!isOfSeveralDirectories(issuer) && withoutSlash(named) !== withoutSlash(issuer)) {
        throw new IdentityProviderFault('discovery', anotherIssuer(named));
      }
      configuration[client.customFetch] = fetch;
      return configuration;
    } catch (error) {
      const fault = identityFaultOf(error);
      if (fault.kind !== 'rejected') throw fault;
      throw new IdentityProviderFault('discovery', discoveryProblem(error), error);
    }
  }
}

/**
 * A client secret in the body is understood by more providers: HTTP Basic needs both sides to
 * encode it alike.
 */
function authenticationOf({ clientSecret, clientAuthentication }: OpenedProvider): client.ClientAuth {
  if (clientSecret === null) return client.None();
  const [post, basic] = [client.ClientSecretPost(clientSecret), client.ClientSecretBasic(clientSecret)];
  if (clientAuthentication !== 'auto') return clientAuthentication === 'post' ? post : basic;
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (methods.includes('client_secret_post') ? post : basic)(server, ...rest);
  };
}

/** Some providers put claims into the UserInfo response alone. */
function lacksClaims({ roleClaim, tenantClaim }: OpenedProvider, claims: Record<string, unknown>): boolean {
  const wanted = [roleClaim, tenantClaim].filter((claim) => claim !== null);
  return claims.email === undefined || wanted.some((claim) => claimValues(claims, claim).length === 0);
}

function discoveryProblem(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { body?: { issuer?: unknown } } };
  if (code !== 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return 'the discovery document is not one of OpenID Connect. Is the issuer right?';
  }
  const named = cause?.body?.issuer;
  return anotherIssuer(named);
}

function anotherIssuer(named: unknown): string {
  const shown = typeof named === 'string' ? ` ${JSON.stringify(named.slice(0, 200))}` : ' another issuer';
  return `the discovery document names${shown}; the issuer must be written exactly so`;
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
