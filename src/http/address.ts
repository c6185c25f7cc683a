import type { Socket } from 'node:net';
import type { Request } from 'express';
import { clientNetwork } from '../core/shared/addresses.ts';

/** The client has left already, and its address with it. */
const UNKNOWN = 'unknown';
/** The data directory's own socket: a process of this user on this machine. */
const LOCAL = 'local';
const MAX_LENGTH = 100;

/** The client's address after trusted proxies, for counting, the log and the audit log; of IPv6 its /64 network. */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  if (ip === undefined) return isLocalSocket(socket) ? LOCAL : UNKNOWN;
  return clientNetwork(ip).slice(0, MAX_LENGTH);
}

/** The data directory's own socket has no addresses, and only this user may connect to it. */
export function isLocalSocket({ remoteAddress, localAddress, destroyed }: Socket): boolean {
  return remoteAddress === undefined && localAddress === undefined && !destroyed;
}
