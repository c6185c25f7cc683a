import { isIPv6 } from 'node:net';
import type { Request } from 'express';

/** Where the proxy has nothing to say and the socket neither: on the data directory's own socket. */
const UNKNOWN = 'unknown';
const MAX_LENGTH = 100;

/** Who asks, for counting: the IP address, or of IPv6 its /64, since whoever has one address there has all of them. */
export function addressOf({ ip = UNKNOWN }: Pick<Request, 'ip'>): string {
  const address = withoutPort(ip).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(address) ? `${networkOf(address)}::/64` : address.slice(0, MAX_LENGTH);
}

/** Some proxies say the port too, which is another with each connection. */
function withoutPort(ip: string): string {
  return ip.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
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
