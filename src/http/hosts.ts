import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { isLoopbackName } from '../core/base/shared/addresses.ts';
import { HttpError } from './errors.ts';

export const CHALLENGE = { 'www-authenticate': 'Bearer realm="agent-runtime"' };

/** HTTP/1.0 health probes may omit Host; browsers never do. */
const PROBES = new Set(['/healthz', '/readyz']);

/** Guard against DNS rebinding, which cannot affect loopback names and IP literals. */
export function checkHost(allowed: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const { host } = request.headers;
    if (host === undefined && PROBES.has(request.path)) return next();
    const refused = hostsOf(request).find((one) => !isAllowed(one, allowed));
    if (refused === undefined) return next();
    const remedy =
      'Set AGENT_RUNTIME_PUBLIC_URL to the address that clients use (behind a proxy, for example), or add the name to AGENT_RUNTIME_ALLOWED_HOSTS.';
    throw new HttpError(403, `The host "${refused}" is not allowed here. ${remedy}`, CHALLENGE);
  };
}

/** Host, a trusted proxy's `X-Forwarded-Host`, and an absolute target's authority (HTTP/1.1). */
function hostsOf(request: Request): string[] {
  const { host = '' } = request.headers;
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(request.url)?.[1];
  return [...new Set([host, request.host ?? host, ...(authority === undefined ? [] : [authority])])];
}

function isAllowed(host: string, allowed: readonly string[]): boolean {
  const hostname = hostnameOf(`http://${host}`);
  return hostname !== null && (isLoopbackName(hostname) || isAddress(hostname) || allowed.includes(hostname));
}

export function hostnamesOf(hosts: readonly string[]): string[] {
  return hosts.map((host) => hostnameOf(`http://${host}`) ?? host);
}

/** In lower case, without the port; null for an invalid URL. */
export function hostnameOf(url: string): string | null {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return null;
  }
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}
