import type { StoredIdentityProvider } from './store.ts';

/** In place of a tenant in addresses. */
export const INSTALLATION = 'installation';

/** `<tenant>/<id>`, as in its addresses. */
export function placeOf({ tenantId, id }: Pick<StoredIdentityProvider, 'tenantId' | 'id'>): string {
  return `${tenantId ?? INSTALLATION}/${id}`;
}

/** To register at the provider. `baseUrl` is the public address, with a slash at its end. */
export function addressesOf(provider: Pick<StoredIdentityProvider, 'tenantId' | 'id'>, baseUrl: string) {
  const base = `${baseUrl}api/v1/portal/login/sso/${placeOf(provider)}`;
  return { redirectUri: `${base}/callback`, backchannelLogoutUri: `${base}/backchannel-logout` };
}
