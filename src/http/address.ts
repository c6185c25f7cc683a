import type { Socket } from 'node:net';
import type { Request } from 'express';
import { clientNetwork } from '../core/shared/addresses.ts';

/** The client has disconnected, so its address is gone. */
const UNKNOWN = 'unknown';
/** A process of this user, over the data directory's socket. */
const LOCAL = 'local';
const MAX_LENGTH = 100;

/**
 * The client's address behind trusted proxies, for rate limits, the log and the audit log; of IPv6
 * the /64 network.
 */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  if (ip === undefined) return isLocalSocket(socket) ? LOCAL : UNKNOWN;
  return clientNetwork(ip).slice(0, MAX_LENGTH);
}

/**
 * Connections over the data directory's Unix socket, which only this user may open, have no
 * address.
 */
export function isLocalSocket({ remoteAddress, localAddress, destroyed }: Socket): boolean {
  return remoteAddress === undefined && localAddress === undefined && !destroyed;
}
