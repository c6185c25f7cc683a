import type { Request } from 'express';
import { isLoopbackName } from '../hosts.ts';

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

/** True of https, and of http on this machine. */
export function isSecureAddress(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopbackName(hostname);
}

/** Where OAuth is off, and the remedy; null: it is on for every client. */
export function oauthNotice({ publicUrl, host }: { publicUrl?: string | undefined; host: string }): string | null {
  if (publicUrl !== undefined) {
    if (isSecureAddress(publicUrl)) return null;
    return `OAuth is off: at ${publicUrl} (AGENT_RUNTIME_PUBLIC_URL), access tokens would cross the network unencrypted. Use an https address`;
  }
  if (isLoopbackName(host) || host === '::1') return null;
  return 'OAuth works on this machine alone. For other clients, set AGENT_RUNTIME_PUBLIC_URL to the https address of this server';
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
