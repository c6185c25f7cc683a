import type { Request } from 'express';
import { isSecureAddress } from '../../core/oauth/addresses.ts';
import { isLoopbackName } from '../../core/shared/addresses.ts';

/** Without a slash at its end: the issuer, below which all addresses of OAuth lie. */
export type OAuthBase = string;

export type OAuthBaseOf = (request: Request) => OAuthBase | null;

/**
 * The public address if it is https or loopback; without one the address of the request, if that is loopback. Null: access
 * tokens would cross a network unencrypted, so OAuth is off.
 */
export function oauthBaseOf(publicUrl: string | undefined): OAuthBaseOf {
  if (publicUrl !== undefined) {
    const base = isSecureAddress(publicUrl) ? publicUrl.replace(/\/+$/, '') : null;
    return () => base;
  }
  return (request) => {
    const base = `${request.protocol}://${request.host ?? ''}`;
    return URL.canParse(base) && isLoopbackName(new URL(base).hostname) ? new URL(base).origin : null;
  };
}

/** The secret of the browser in which a person allowed a request; see `AuthorizationServer.mayContinue`. */
export const APPROVAL_COOKIE = 'ar_approval';

/** What access tokens are issued for: the MCP endpoint or the REST API. */
export const RESOURCES = { mcp: '/mcp', api: '/api' } as const;
export type ResourceName = keyof typeof RESOURCES;

/** What an access token must have been issued for; null where OAuth is off. */
export function audienceOf(baseOf: OAuthBaseOf, name: ResourceName): (request: Request) => string | null {
  return (request) => {
    const base = baseOf(request);
    return base === null ? null : resourceAt(base, name);
  };
}

export function resourceAt(base: OAuthBase, name: ResourceName): string {
  return base + RESOURCES[name];
}
