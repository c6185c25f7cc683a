import type { Socket } from 'node:net';
import type { Request } from 'express';
import { clientNetwork } from '../core/base/shared/addresses.ts';

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
