import type { KoaContextWithOIDC } from 'oidc-provider';
import type { OAuthStore } from '../../core/oauth/store.ts';
import { type Caller, SCOPES } from '../../core/shared/caller.ts';
import { RESUME_COOKIE } from './address.ts';
import { sendErrorPage } from './error-page.ts';
import { DEFAULT_SCOPES } from './metadata.ts';

/** Of the library's cookies, the browser needs the last one. */
export const COOKIES = { session: 'ar_oauth_session', interaction: 'ar_oauth_request', resume: RESUME_COOKIE };

/** Around the library: what it asks and answers otherwise than this server does. */
export function adaptAnswers(mountPath: string, { store }: { store: Pick<OAuthStore, 'findClient'> }) {
  return async (context: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    context.mountPath = mountPath;
    if (context.path === '/oauth/authorize') completeRequest(context);
    await next();
    const route = context.oidc?.route;
    if (route === 'discovery') Object.assign(context.body as object, { scopes_supported: [...SCOPES] });
    if (route === 'introspection') limitScopes(context);
    if (route === 'authorization' && !context.oidc.entities.Interaction) await keepUnaskedHere(context, store);
    keepNeededCookies(context);
  };
}

/** A request without scopes asks for the usual ones; of several resources the first counts, which the page shows. */
function completeRequest(context: KoaContextWithOIDC): void {
  const { scope, resource } = context.query;
  context.query = {
    ...context.query,
    ...(!scope && { scope: DEFAULT_SCOPES.join(' ') }),
    ...(Array.isArray(resource) && { resource: resource[0] }),
  };
}

/** What the token may do now, not what it was issued for. */
function limitScopes(context: KoaContextWithOIDC): void {
  const { caller } = context.state as { caller?: Caller };
  const body = context.body as { active?: boolean; scope?: string };
  if (body.active && caller) body.scope = caller.scopes.join(' ');
}

/**
 * Without a person's answer, nobody is sent to an address that anybody may have registered (RFC 9700, 4.11.2): errors are
 * shown here.
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
