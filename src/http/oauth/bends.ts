import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { matchesHash } from '../../core/access/auth/secrets.ts';
import { DEFAULT_SCOPES } from '../../core/access/oauth/schema.ts';
import type { OAuthStore } from '../../core/access/oauth/store.ts';
import { type Caller, SCOPES } from '../../core/base/shared/caller.ts';
import { type AuthorizationServerParts, newRefreshToken } from './adapter.ts';
import { canonicalResource, type OAuthBase, RESUME_COOKIE } from './address.ts';
import { withoutEmpty } from './client-metadata.ts';
import { sendErrorPage } from './error-page.ts';
import { GRANT_PROFILES, JWT_BEARER } from './jwt-bearer.ts';

/*
 * Where `oidc-provider` has no option for what this server needs, it is bent here and nowhere else.
 * Check each of these when the library is upgraded.
 */

/** For methods of its models: the library has no option for what they decide. */
export function bendModels({ Client, RefreshToken }: Provider, { secretKey }: AuthorizationServerParts): void {
  // Whether a client that registers gets a secret: null and empty members count as left out.
  const Secrets = Client as unknown as { needsSecret(metadata: Record<string, unknown>): boolean };
  const { needsSecret } = Secrets;
  Secrets.needsSecret = (metadata) => needsSecret(withoutEmpty(metadata));
  // The adapter returns the hash of the secret: the secret itself is not stored.
  Client.prototype.compareClientSecret = function compare(actual: string) {
    return this.clientSecret !== undefined && matchesHash(actual, this.clientSecret);
  };
  // An assertion names its client, which therefore needs no grant type in its metadata.
  const { grantTypeAllowed } = Client.prototype;
  Client.prototype.grantTypeAllowed = function isAllowed(type) {
    return type === JWT_BEARER || grantTypeAllowed.call(this, type);
  };
  // A refresh token names its grant, so that one that is no longer stored still ends it.
  Object.assign(RefreshToken.prototype, {
    generateTokenId(this: { grantId: string }) {
      return newRefreshToken(secretKey, this.grantId);
    },
  });
}

/** Not `form_post`: the CSP of this server keeps browsers from sending such a form on. */
const RESPONSE_MODES = ['query', 'fragment'];

/** The library's cookies. The browser needs the last one alone. */
export const COOKIES = { session: 'ar_oauth_session', interaction: 'ar_oauth_request', resume: RESUME_COOKIE };

/** Middleware around the library: what it asks and answers otherwise than this server does. */
export function bendAnswers(base: OAuthBase, { store }: { store: Pick<OAuthStore, 'findClient'> }) {
  const mountPath = new URL(base).pathname.replace(/\/$/, '');
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    context.mountPath = mountPath;
    if (context.path === '/oauth/authorize') {
      const { response_mode: mode } = context.query;
      if (mode && !RESPONSE_MODES.includes(String(mode))) return refuseMode(context);
      completeRequest(context, base);
    }
    await next();
    const route = context.oidc?.route;
    if (route === 'discovery') {
      const stated = {
        scopes_supported: [...SCOPES],
        response_modes_supported: RESPONSE_MODES,
        authorization_grant_profiles_supported: GRANT_PROFILES,
      };
      Object.assign(context.body as object, stated);
    }
    if (route === 'introspection') limitScopes(context);
    if (route === 'authorization' && !context.oidc.entities.Interaction) await keepUnaskedHere(context, store);
    keepNeededCookies(context);
  };
}

function refuseMode(context: KoaContextWithOIDC): void {
  context.status = 400;
  sendErrorPage(context, `response_mode must be one of ${RESPONSE_MODES.join(', ')}`);
}

/**
 * A request without scopes asks for the usual ones; of several resources the first counts, which
 * the page shows.
 */
function completeRequest(context: KoaContextWithOIDC, base: OAuthBase): void {
  const { scope } = context.query;
  const [resource] = [context.query.resource].flat();
  context.query = {
    ...context.query,
    ...(!scope && { scope: DEFAULT_SCOPES.join(' ') }),
    ...(resource && { resource: canonicalResource(base, resource) }),
  };
}

/** Names what the token may do now, not what it was issued for. */
function limitScopes(context: KoaContextWithOIDC): void {
  const { caller } = context.state as { caller?: Caller };
  const body = context.body as { active?: boolean; scope?: string };
  if (body.active && caller) body.scope = caller.scopes.join(' ');
}

/**
 * Without a person's answer, nobody is sent to an address that anybody may have registered (RFC
 * 9700, 4.11.2): errors are shown here.
 */
async function keepUnaskedHere(context: KoaContextWithOIDC, store: Pick<OAuthStore, 'findClient'>): Promise<void> {
  const { client } = context.oidc;
  if (!client || (await store.findClient(client.clientId))?.kind === 'configured') return;
  const { fault } = context.state as { fault?: { error?: string; error_description?: string } };
  context.remove('location');
  context.status = 400;
  sendErrorPage(context, fault?.error_description ?? fault?.error ?? 'it is not valid');
}

function keepNeededCookies(context: KoaContextWithOIDC): void {
  const cookies = [context.res.getHeader('set-cookie') ?? []].flat().map(String);
  const needed = cookies.filter((cookie) => cookie.startsWith(COOKIES.resume));
  if (needed.length > 0) context.set('set-cookie', needed);
  else context.remove('set-cookie');
}
