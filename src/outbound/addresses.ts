import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's platform services; in no reserved range. */
const AZURE_PLATFORM = '168.63.129.16';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** NAT64 prefix; the last 32 bits are the IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** False also for tunnels, zones and short forms. Mapped IPv4 and NAT64 count as IPv4. */
export function isPublicAddress(address: string): boolean {
  // The parser also takes forms that other parsers read differently (short, octal, ::8.8.8.8).
  if (isIP(address) === 0 || address.includes('%') || /^::\d+\./.test(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicIpv6(parsed) : isPublicIpv4(parsed);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_PLATFORM;
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress() || address.match(NAT64)) return isPublicIpv4(embeddedIpv4(address));
  return address.match(GLOBAL_UNICAST) && address.range() === 'unicast';
}

function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(-4));
}
