import { errors, type Provider, type TokenEndpointGrantContext } from 'oidc-provider';
import type { AssertedRequest } from '../../core/access/oauth/enterprise-grants.ts';
import type { StoredGrant } from '../../core/access/oauth/store.ts';
import { AssertionRefused } from '../../core/access/sso/id-jag-claims.ts';
import { canonicalResource, type OAuthBase, resourceAt } from './address.ts';

/** RFC 7523, with assertions of identity providers alone. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Clients of Enterprise-Managed Authorization look for it in the metadata. */
export const GRANT_PROFILES = ['urn:ietf:params:oauth:grant-profile:id-jag'];

interface JwtBearerParts {
  clientOf(id: string, name: string | undefined): Promise<AssertedRequest['client']>;
  /** Rejects with an AssertionRefused. */
  assertedGrant(request: AssertedRequest): Promise<StoredGrant>;
}

/** Tokens for identity assertions (ID-JAG): for an hour, without a refresh token. */
export function acceptAssertions(provider: Provider, base: OAuthBase, parts: JwtBearerParts): void {
  const handler = (context: TokenEndpointGrantContext<{ assertion?: string }>) => answer(context, base, parts);
  provider.registerGrantType(JWT_BEARER, handler, ['assertion', 'scope', 'resource']);
}

async function answer(
  context: TokenEndpointGrantContext<{ assertion?: string }>,
  base: OAuthBase,
  { clientOf, assertedGrant }: JwtBearerParts,
): Promise<void> {
  const { client, params, provider } = context.oidc;
  const resource = resourceAt(base, 'mcp');
  const { assertion, scope, resource: asked = resource } = params;
  if (!assertion) throw new errors.InvalidRequest("missing required parameter 'assertion'");
  if (canonicalResource(base, String(asked)) !== resource) {
    throw new errors.CustomOIDCProviderError('invalid_target', `resource must be ${resource}`);
  }
  const grant = await assertedGrant({
    ...{ assertion, audience: base, resource },
    scopes: scope ? scope.split(' ') : null,
    client: await clientOf(client.clientId, client.clientName),
  }).catch((error: unknown) => {
    throw error instanceof AssertionRefused ? new errors.CustomOIDCProviderError(error.error, error.message) : error;
  });
  const token = new provider.AccessToken({
    ...{ client, accountId: grant.userId, grantId: grant.id, gty: JWT_BEARER },
    ...{ aud: resource, scope: grant.scopes.join(' ') },
  });
  context.oidc.entity('AccessToken', token);
  const value = await token.save();
  context.body = {
    access_token: value,
    expires_in: token.expiration,
    scope: token.scope,
    token_type: token.tokenType,
  };
}
