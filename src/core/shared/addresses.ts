import { isIPv6 } from 'node:net';

/** Some proxies write the port into `X-Forwarded-For`; it differs with each connection. */
export function withoutPort(address: string): string {
  return address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}

/** As what an address counts: itself; of IPv6 its /64, since a client that has one address there has all of them. */
export function countedAs(address: string): string {
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/i, '');
  return isIPv6(plain) ? `${networkOf(plain)}::/64` : plain;
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
