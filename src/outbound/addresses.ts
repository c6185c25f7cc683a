import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure's platform services answer every machine here; the address is in no reserved range. */
const AZURE_PLATFORM = '168.63.129.16';

/** All public IPv6 addresses assigned so far. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** IPv6-only networks reach IPv4 hosts by this prefix; the last 32 bits are the IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address belongs to the public internet. False for loopback, private, link-local
 * (cloud metadata and credentials), shared, multicast, reserved, documentation and benchmarking
 * networks, tunnels that embed an IPv4 address (6to4, Teredo), addresses with a zone, and text that
 * is not a full IP address. An IPv4 address mapped into IPv6 or NAT64 counts as itself.
 */
export function isPublicAddress(address: string): boolean {
  // The parser also takes short, octal and hexadecimal forms, which other parsers read differently,
  // and takes IPv4-compatible addresses (::8.8.8.8) for mapped ones.
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
