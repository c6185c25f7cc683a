import { isIPv6, type Socket } from 'node:net';
import type { Request } from 'express';
import { withoutPort } from '../core/trusted-proxies.ts';

/** The client has left already, and its address with it. */
const UNKNOWN = 'unknown';
/** The data directory's own socket: a process of this user on this machine. */
const LOCAL = 'local';
const MAX_LENGTH = 100;

/**
 * The client's address after trusted proxies, for counting, the log and the audit log: the IP address; of IPv6 its /64,
 * since a client that has one address there has all of them.
 */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  if (ip === undefined) return isLocalSocket(socket) ? LOCAL : UNKNOWN;
  const address = withoutPort(ip).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(address) ? `${networkOf(address)}::/64` : address.slice(0, MAX_LENGTH);
}

/** The data directory's own socket has no addresses, and only this user may connect to it. */
export function isLocalSocket({ remoteAddress, localAddress, destroyed }: Socket): boolean {
  return remoteAddress === undefined && localAddress === undefined && !destroyed;
}

/** The first four of eight groups; `::` stands for as many zeros as are missing. */
function networkOf(address: string): string {
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = address.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** An IPv4 address at the end takes two groups, which lie behind the first four. */
function groupsOf(part: string): string[] {
  return part === '' ? [] : part.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}
