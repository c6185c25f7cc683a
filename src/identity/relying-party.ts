import * as client from 'openid-client';
import { claimValues } from '../core/access/sso/claims.ts';
import {
  IdentityProviderFault,
  type IdTokenClaims,
  type LoginSecrets,
  type LogoutClaims,
  type OpenedProvider,
  type RelyingParty,
  type SignedJwt,
} from '../core/access/sso/relying-party.ts';
import { isGoogle, isOfSeveralDirectories } from '../core/access/sso/rules.ts';
import type { ProviderCheck } from '../core/access/sso/schema.ts';
import { examineProvider } from './examine.ts';
import { identityFaultOf } from './faults.ts';
import type { IdentityRequests } from './fetch.ts';
import { TOLERANCE_SECONDS, verifyLogoutToken, verifySignature } from './tokens.ts';

const TIMEOUT_SECONDS = 10;
/** Discovery documents hardly ever change. */
const DISCOVERY_MS = 10 * 60_000;
/**
 * For tokens that anybody can send. Keys of logins are read each time, so that rotated ones count
 * immediately.
 */
const TOKEN_KEYS_MS = 10_000;

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
    const { issuer, keys } = await this.keysOf(provider);
    return verifyLogoutToken(token, { issuer, clientId: provider.clientId, keys, now: this.parts.now() });
  }

  async signedJwt(provider: OpenedProvider, token: string): Promise<SignedJwt> {
    const { issuer, keys } = await this.keysOf(provider);
    return { issuer, ...(await verifySignature(token, keys)) };
  }

  examine(provider: OpenedProvider, redirectUri: string): Promise<ProviderCheck> {
    return examineProvider(provider, redirectUri, {
      configurationWith: (clientAuthentication) =>
        this.configurationOf({ ...provider, clientAuthentication }, { isCached: false }),
      keysAt: (address) => this.keysAt(provider, address),
    });
  }

  private async keysOf(provider: OpenedProvider) {
    const { issuer, jwks_uri: address } = (await this.configurationOf(provider)).serverMetadata();
    if (address === undefined) throw new IdentityProviderFault('discovery', 'the provider names no key set');
    return { issuer, keys: await this.keysAt(provider, address, TOKEN_KEYS_MS) };
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
