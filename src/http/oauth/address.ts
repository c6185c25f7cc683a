import type { Request } from 'express';
import { isSecureAddress } from '../../core/access/oauth/addresses.ts';
import { isLoopbackAddress, isLoopbackName } from '../../core/base/network/addresses.ts';

/** Without a slash at its end: the issuer, below which all addresses of OAuth lie. */
export type OAuthBase = string;

export type OAuthBaseOf = (request: Request) => OAuthBase | null;

/**
 * The public address if it is https or loopback; without one the address of the request, if it came
 * from this machine to a loopback name. Null: access tokens would cross a network unencrypted, so
 * OAuth is off.
 */
export function oauthBaseOf(publicUrl: string | undefined): OAuthBaseOf {
  if (publicUrl !== undefined) {
    const { origin, pathname } = new URL(publicUrl);
    const base = isSecureAddress(publicUrl) ? origin + pathname.replace(/\/+$/, '') : null;
    return () => base;
  }
  return (request) => {
    const base = `${request.protocol}://${request.host ?? ''}`;
    const isHere = isLoopbackAddress(request.socket.remoteAddress ?? '');
    return isHere && URL.canParse(base) && isLoopbackName(new URL(base).hostname) ? new URL(base).origin : null;
  };
}

/** The library's cookie of the browser in which a request began. */
export const RESUME_COOKIE = 'ar_oauth_resume';

/**
 * The secret of the browser in which a person allowed a request; see `requireApproval` in
 * authorization-server.ts.
 */
export const APPROVAL_COOKIE = 'ar_approval';

/** Resources that access tokens are issued for: the MCP endpoint or the REST API. */
export const RESOURCES = { mcp: '/mcp', api: '/api' } as const;
export type ResourceName = keyof typeof RESOURCES;

/** The audience that an access token must have; null where OAuth is off. */
export function audienceOf(baseOf: OAuthBaseOf, name: ResourceName): (request: Request) => string | null {
  return (request) => {
    const base = baseOf(request);
    return base === null ? null : resourceAt(base, name);
  };
}

export function resourceAt(base: OAuthBase, name: ResourceName): string {
  return base + RESOURCES[name];
}

/**
 * The name of a resource here. Clients may write it with a slash at its end, or its host in upper
 * case.
 */
export function canonicalResource(base: OAuthBase, given: string): string {
  const address = URL.parse(given)?.href.replace(/\/+$/, '');
  return Object.values(RESOURCES).some((path) => base + path === address) ? address! : given;
}
