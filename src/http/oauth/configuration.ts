import { generateKeyPairSync } from 'node:crypto';
import type { Request } from 'express';
import { type Configuration, errors, interactionPolicy, type KoaContextWithOIDC } from 'oidc-provider';
import { matchesHash, newSecret } from '../../core/access/auth/secrets.ts';
import { SCOPES } from '../../core/base/shared/caller.ts';
import { addressOf } from '../address.ts';
import { cookiesIn } from '../session-cookie.ts';
import type { AuthorizationServerParts } from './adapter.ts';
import { adapterFor } from './adapter.ts';
import {
  APPROVAL_COOKIE,
  canonicalResource,
  type OAuthBase,
  RESOURCES,
  type ResourceName,
  resourceAt,
} from './address.ts';
import { COOKIES } from './bends.ts';
import { adaptMetadata, withoutEmptyMembers } from './client-metadata.ts';
import { sendErrorPage } from './error-page.ts';

/** Seconds. */
const ACCESS_TOKEN_TTL = 3_600;
const CODE_TTL = 60;
const REQUEST_TTL = 15 * 60;
const MAX_ASSERTION_SECONDS = 300;
const DOCUMENT_CACHE = { min: 60, max: 3_600 };

/** Bytes. The library has no limit of its own for key sets, and tries each key. */
const BODY_LIMITS = { 'client_id metadata document': 5 * 1024, jwks_uri: 16 * 1024, sector_identifier_uri: 0 };

export function configurationOf(base: OAuthBase, parts: AuthorizationServerParts): Configuration {
  const { fetch } = parts;
  const resources = (Object.keys(RESOURCES) as ResourceName[]).map((name) => resourceAt(base, name));
  return {
    adapter: (kind: string) => adapterFor(kind, parts),
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
    clientDefaults: { id_token_signed_response_alg: 'ES256', token_endpoint_auth_method: 'client_secret_basic' },
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
          const isOperator = (await parts.store.findClient(client.clientId))?.metadata.introspection === true;
          if (!isOperator || token.kind !== 'AccessToken') return false;
          const { token: given } = context.oidc.params as { token: string };
          context.state.caller = await parts.callerOf(given, String(token.aud));
          return context.state.caller !== null;
        },
      },
      registration: { enabled: true, issueRegistrationAccessToken: false, secretFactory: () => newSecret() },
      clientIdMetadataDocument: {
        enabled: true,
        ack: 'draft-02',
        cacheDuration: DOCUMENT_CACHE,
        allowFetch: ({ req }, clientId) => parts.mayFetch(clientId, base, addressOf(req as Request)),
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
      // A refresh token lives as long as its grant.
      RefreshToken: (context) => Math.max(1, context.oidc.entities.Grant!.exp! - Math.floor(parts.now() / 1_000)),
      Grant: REQUEST_TTL,
    },
    rotateRefreshToken: true,
    issueRefreshToken: (_context, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => false,
    loadExistingGrant: async (context) => {
      const grantId = context.oidc.result?.consent?.grantId;
      if (grantId === undefined) return undefined;
      requireApproval(context);
      return context.oidc.provider.Grant.find(grantId);
    },
    // Revoking an access token alone revokes its grant as well.
    revokeGrantPolicy: () => true,
    assertJwtClientAuthClaimsAndHeader: (_context, { exp }) => {
      if (Number(exp) <= parts.now() / 1_000 + MAX_ASSERTION_SECONDS) return;
      throw new errors.InvalidClientAuth(`client_assertion must expire within ${MAX_ASSERTION_SECONDS} seconds`);
    },
    findAccount: async ({ oidc: { params } }, id) => {
      // The library asks for the account before it compares the resource of a token request.
      if (typeof params?.resource === 'string') params.resource = canonicalResource(base, params.resource);
      if (!(await parts.isActiveUser(id))) return undefined;
      return { accountId: id, claims: () => ({ sub: id }) };
    },
    interactions: { policy: askAlways(), url: (_context, { uid }) => `${base}/authorize/${uid}` },
    renderError: (context, { error, error_description: description }) => sendErrorPage(context, description ?? error),
    fetch: async (url, options) => withoutEmptyMembers(await fetch(url, options)),
    fetchResponseBodyLimits: BODY_LIMITS,
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

/**
 * The browser must be the one in which a person allowed the request. Otherwise somebody could begin
 * a request, have another person allow it, and receive that person's code.
 */
function requireApproval(context: KoaContextWithOIDC): void {
  const hash = String(context.oidc.result?.approvalHash);
  const secrets = cookiesIn(context.get('cookie'), APPROVAL_COOKIE);
  if (secrets.some((secret) => matchesHash(secret, hash))) return;
  const error = new errors.AccessDenied('it was allowed in another browser than it was begun in');
  error.allow_redirect = false;
  throw error;
}
