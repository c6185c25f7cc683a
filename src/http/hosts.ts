import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { HttpError } from './errors.ts';

export const CHALLENGE = { 'www-authenticate': 'Bearer realm="agent-runtime"' };

/** HTTP/1.0 health probes may omit Host; browsers never do. */
const PROBES = new Set(['/healthz', '/readyz']);

/**
 * Middleware against DNS rebinding: a web page whose domain was rebound to this address sends its
 * own name as Host. Loopback names and IP literals cannot be rebound; other names must be allowed.
 */
export function checkHost(allowed: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const { host } = request.headers;
    if (host === undefined && PROBES.has(request.path)) return next();
    const refused = hostsOf(request).find((one) => !isAllowed(one, allowed));
    if (refused === undefined) return next();
    throw new HttpError(403, `The host "${refused}" is not allowed here. Set AGENT_RUNTIME_ALLOWED_HOSTS.`, CHALLENGE);
  };
}

/**
 * Every host of the request: Host; `X-Forwarded-Host` from a trusted proxy, which may put its own
 * name into Host; and the authority of an absolute request target, which takes precedence over Host
 * in HTTP/1.1.
 */
function hostsOf(request: Request): string[] {
  const { host = '' } = request.headers;
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.url)?.[1];
  return [...new Set([host, request.host ?? host, ...(authority === undefined ? [] : [authority])])];
}

function isAllowed(host: string, allowed: readonly string[]): boolean {
  const hostname = hostnameOf(`http://${host}`);
  return hostname !== null && (isLoopbackName(hostname) || isAddress(hostname) || allowed.includes(hostname));
}

/** Hosts in the form that `hostnameOf` returns. */
export function hostnamesOf(hosts: readonly string[]): string[] {
  return hosts.map((host) => hostnameOf(`http://${host}`) ?? host);
}

/** Host name of a URL, in lower case, without the port; null for an invalid URL. */
export function hostnameOf(url: string): string | null {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return null;
  }
}

export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
