import type { Socket } from 'node:net';
import type { Request } from 'express';
import { clientNetwork } from '../core/shared/addresses.ts';

/** The client has disconnected. */
const UNKNOWN = 'unknown';
const LOCAL = 'local';
const MAX_LENGTH = 100;

/** The client's address behind trusted proxies; for IPv6 the /64 network. */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  if (ip === undefined) return isLocalSocket(socket) ? LOCAL : UNKNOWN;
  return clientNetwork(ip).slice(0, MAX_LENGTH);
}

/** Over the data directory's Unix socket, which only this user may open. */
export function isLocalSocket({ remoteAddress, localAddress, destroyed }: Socket): boolean {
  return remoteAddress === undefined && localAddress === undefined && !destroyed;
}
