import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { clientNetwork, type IsTrustedProxy, isLoopbackName } from '../core/base/network/addresses.ts';
import type { Log } from '../logging/log.ts';
import { HttpError } from './errors.ts';

/** The client has disconnected. */
const UNKNOWN = 'unknown';
const LOCAL = 'local';
const MAX_LENGTH = 100;

/** The client's address behind trusted proxies; for IPv6 the /64 network. */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  if (ip === undefined) return isLocalSocket(socket) ? LOCAL : UNKNOWN;
  return clientNetwork(ip).slice(0, MAX_LENGTH);
}

/** Over https: by the connection, a trusted proxy, or a public address that only https reaches. */
export function isSecure({ secure }: Pick<Request, 'secure'>, publicUrl: string | undefined): boolean {
  return secure || (publicUrl !== undefined && new URL(publicUrl).protocol === 'https:');
}

/**
 * The address of the server with a slash at its end: the public one, by default that of the
 * request.
 */
export function baseUrlOf(
  { protocol, host }: Pick<Request, 'protocol' | 'host'>,
  publicUrl: string | undefined,
): string {
  return `${(publicUrl ?? `${protocol}://${host}`).replace(/\/+$/, '')}/`;
}

/** Over the data directory's Unix socket, which only this user may open. */
export function isLocalSocket({ remoteAddress, localAddress, destroyed }: Socket): boolean {
  return remoteAddress === undefined && localAddress === undefined && !destroyed;
}

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

/** Only if a public URL implies a proxy: otherwise any client could cause the warning. */
export function warnOfUntrustedProxy(isTrusted: IsTrustedProxy, log: Log): RequestHandler {
  let warned = false;
  return ({ headers, socket: { remoteAddress } }, _response, next) => {
    const isForwarded = headers['x-forwarded-for'] !== undefined && remoteAddress !== undefined;
    if (!warned && isForwarded && !isTrusted(remoteAddress)) {
      warned = true;
      log.warn(
        { peer: remoteAddress },
        'X-Forwarded-For is ignored: the peer is not in AGENT_RUNTIME_TRUSTED_PROXIES. All of its clients count as one address; add it if it is your proxy',
      );
    }
    next();
  };
}
