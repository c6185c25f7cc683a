import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Azure answers every machine of its own at this address, which no range tells from those of other people's servers. */
const AZURE_PLATFORM = '168.63.129.16';

/** All of IPv6 that is handed out to the public so far. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Networks without IPv4 reach it by names that resolve into this one; its last 32 bits are the IPv4 address. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an IP address is plainly one of the public internet. False for every other: loopback, private, link-local
 * (where clouds keep their credentials), shared, multicast, reserved, documentation and benchmarking networks, tunnels
 * that carry an IPv4 address within (6to4, Teredo), addresses with a zone, and whatever is not a full IP address.
 * An IPv4 address written as IPv6, mapped or for NAT64, is judged as itself.
 */
export function isPublicAddress(address: string): boolean {
  // The parser takes short, octal and hexadecimal forms too, which not everyone reads the same way, and takes
  // IPv4-compatible addresses (::8.8.8.8) for mapped ones.
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
