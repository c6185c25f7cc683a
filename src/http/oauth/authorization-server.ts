import { generateKeyPairSync } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { matchesHash, newSecret } from '../../core/auth/secrets.ts';
import type { AllowedRequest, PendingRequest } from '../../core/oauth/consent.ts';
import type { ClientKind, OAuthStore, StoredGrant } from '../../core/oauth/store.ts';
import { SCOPES } from '../../core/shared/caller.ts';
import { cookiesIn } from '../cookies.ts';
import { adapterFor } from './adapter.ts';
import { APPROVAL_COOKIE, type OAuthBase, RESOURCES, type ResourceName, resourceAt } from './address.ts';
import { adaptMetadata } from './client-metadata.ts';
import { errorPage } from './error-page.ts';
import { DEFAULT_SCOPES } from './metadata.ts';

/** Seconds. */
const ACCESS_TOKEN_TTL = 3_600;
const CODE_TTL = 60;
const REQUEST_TTL = 15 * 60;
const DOCUMENT_CACHE = { min: 60, max: 3_600 };

/** Of the library's cookies, the browser needs the last one. */
const COOKIES = { session: 'ar_oauth_session', interaction: 'ar_oauth_request', resume: 'ar_oauth_resume' };

/** Why a grant ended without a person's doing. */
export type EndReason = 'revoked by the application' | 'a used refresh token or code came again';

export interface AuthorizationServerParts {
  store: OAuthStore;
  /** Epoch milliseconds. */
  now: () => number;
  isActiveUser(id: string): Promise<boolean>;
  /** Whether the token still holds, with grant and user. */
  isValidToken(token: string, audience: string): Promise<boolean>;
  /** For metadata documents and key sets of clients, which anybody may name: behind the guard. */
  fetch: typeof fetch;
  onEnded(grant: StoredGrant, reason: EndReason): Promise<void>;
  onError(error: unknown): void;
}

/** OAuth 2.1 by `oidc-provider`, for one issuer. */
export class AuthorizationServer {
  readonly base: OAuthBase;
  private readonly provider: Provider;
  private readonly parts: AuthorizationServerParts;

  constructor(base: OAuthBase, parts: AuthorizationServerParts) {
    this.base = base;
    this.parts = parts;
    this.provider = new Provider(base, configurationOf(base, parts));
    const { protocol, host, pathname } = new URL(base);
    // The library writes addresses as the request came, which behind a proxy is not the public address.
    Object.defineProperty(this.provider.request, 'protocol', { value: protocol.slice(0, -1) });
    Object.defineProperty(this.provider.request, 'host', { value: host });
    this.provider.use(adaptAnswers(pathname.replace(/\/$/, '')));
    // The adapter returns the hash of the secret.
    this.provider.Client.prototype.compareClientSecret = function compare(actual: string) {
      return this.clientSecret !== undefined && matchesHash(actual, this.clientSecret);
    };
    this.provider.on('grant.revoked', (context, grantId) => void this.recordEnd(context, grantId));
    this.provider.on('server_error', (_context, error) => parts.onError(error));
    // Koa prints errors that nobody listens for.
    (this.provider as EventEmitter).on('error', (error) => parts.onError(error));
  }

  async handle(request: Request, response: Response): Promise<void> {
    await this.provider.callback()(request, response);
  }

  /** Null: unknown, answered or expired. */
  async pending(id: string): Promise<PendingRequest | null> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction || interaction.result) return null;
    const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = interaction.params;
    const client = await this.provider.Client.find(String(clientId));
    if (!client) return null;
    return {
      clientId: client.clientId,
      clientName: client.clientName ?? null,
      clientKind: await this.kindOf(client.clientId),
      redirectUri: String(redirectUri),
      resource: String([resource].flat()[0]),
      scopes: String(scope ?? '').split(' '),
      expiresAt: interaction.exp * 1_000,
    };
  }

  allow(id: string, { userId, grantId, approvalHash }: AllowedRequest): Promise<string> {
    return this.answer(id, { login: { accountId: userId, remember: false }, consent: { grantId }, approvalHash });
  }

  refuse(id: string): Promise<string> {
    return this.answer(id, { error: 'access_denied', error_description: 'The user refused.' });
  }

  /**
   * Whether this browser may go on with the request: the one in which it was allowed. Otherwise somebody could begin a
   * request, have another person allow it, and receive that person's code.
   */
  async mayContinue(id: string, cookieHeader: string | undefined): Promise<boolean> {
    const interaction = await this.provider.Interaction.find(id);
    const hash = interaction?.result?.approvalHash;
    if (hash === undefined) return true;
    return cookiesIn(cookieHeader, APPROVAL_COOKIE).some((secret) => matchesHash(secret, String(hash)));
  }

  private async answer(id: string, result: Record<string, unknown>): Promise<string> {
    const interaction = await this.provider.Interaction.find(id);
    if (!interaction) throw new Error('the request has expired meanwhile');
    interaction.result = result;
    await interaction.persist();
    return interaction.returnTo;
  }

  private async kindOf(clientId: string): Promise<ClientKind> {
    return (await this.parts.store.findClient(clientId))?.kind ?? 'document';
  }

  private async recordEnd(context: KoaContextWithOIDC, grantId: string): Promise<void> {
    try {
      const grant = await this.parts.store.findGrant(grantId);
      const isRevocation = context.oidc.route === 'revocation';
      const reason = isRevocation ? 'revoked by the application' : 'a used refresh token or code came again';
      if (grant) await this.parts.onEnded(grant, reason);
    } catch (error) {
      this.parts.onError(error);
    }
  }
}

function configurationOf(base: OAuthBase, parts: AuthorizationServerParts): Configuration {
  const { store, now, fetch } = parts;
  const resources = (Object.keys(RESOURCES) as ResourceName[]).map((name) => resourceAt(base, name));
  return {
    adapter: (kind: string) => adapterFor(kind, { store, now }),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      registration: '/oauth/register',
      revocation: '/oauth/revoke',
      introspection: '/oauth/introspect',
      jwks: '/oauth/jwks',
    },
    cookies: { names: COOKIES },
    scopes: ['offline_access'],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    pkce: { required: () => true },
    // The library demands a key, but no token of this server is signed.
    jwks: { keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'none' },
    extraClientMetadata: {
      // The library calls the validator once for each of these.
      properties: ['software_id'],
      validator: (_context, _name, _value, metadata) => adaptMetadata(metadata as Record<string, unknown>),
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_context, client, token) => client.clientId === token.clientId },
      introspection: {
        enabled: true,
        allowedPolicy: async (context, client, token) => {
          const isOperator = (await store.findClient(client.clientId))?.metadata.introspection === true;
          const { token: given } = context.oidc.params as { token: string };
          return isOperator && token.kind === 'AccessToken' && parts.isValidToken(given, String(token.aud));
        },
      },
      registration: { enabled: true, issueRegistrationAccessToken: false, secretFactory: () => newSecret() },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: DOCUMENT_CACHE,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_context, _client, oneOf) => [oneOf].flat()[0] ?? resourceAt(base, 'mcp'),
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (!resources.includes(resource))
            throw new errors.InvalidTarget(`resource must be one of ${resources.join(', ')}`);
          return {
            scope: SCOPES.join(' '),
            audience: resource,
            accessTokenTTL: ACCESS_TOKEN_TTL,
            accessTokenFormat: 'opaque',
          };
        },
      },
    },
    ttl: {
      AccessToken: ACCESS_TOKEN_TTL,
      AuthorizationCode: CODE_TTL,
      Interaction: REQUEST_TTL,
      Session: REQUEST_TTL,
      // As long as the grant.
      RefreshToken: (context) => Math.max(1, context.oidc.entities.Grant!.exp! - Math.floor(now() / 1_000)),
      Grant: REQUEST_TTL,
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    loadExistingGrant: async (context) => {
      const grantId = context.oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : context.oidc.provider.Grant.find(grantId);
    },
    findAccount: async (_context, id) => {
      if (!(await parts.isActiveUser(id))) return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    interactions: { policy: askAlways(), url: (_context, { uid }) => `${base}/authorize/${uid}` },
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html';
      for (const [name, value] of Object.entries(errorPage.headers)) context.set(name, value);
      context.body = errorPage.html(description ?? error);
    },
    fetch: (url, options) => fetch(url, options),
  };
}

/** A person answers every request, also one of an application that they allowed before. */
function askAlways() {
  const { Check, Prompt } = interactionPolicy;
  const unanswered = (context: KoaContextWithOIDC) => !context.oidc.result?.consent;
  const asks = () => new Check('not_answered', 'a person must answer the request', 'interaction_required', unanswered);
  const policy = interactionPolicy.base();
  policy.clear();
  policy.add(new Prompt({ name: 'login', requestable: true }, asks()));
  policy.add(new Prompt({ name: 'consent', requestable: true }, asks()));
  return policy;
}

/** Gives a request without scopes the usual ones, names in the metadata the scopes of the API, and sets no needless cookies. */
function adaptAnswers(mountPath: string) {
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    context.mountPath = mountPath;
    if (context.path === '/oauth/authorize' && !context.query.scope) {
      context.query = { ...context.query, scope: DEFAULT_SCOPES.join(' ') };
    }
    await next();
    if (context.oidc?.route === 'discovery') Object.assign(context.body as object, { scopes_supported: [...SCOPES] });
    const cookies = [context.res.getHeader('set-cookie') ?? []].flat().map(String);
    const needed = cookies.filter((cookie) => cookie.startsWith(COOKIES.resume));
    if (needed.length > 0) context.set('set-cookie', needed);
    else context.remove('set-cookie');
  };
}
