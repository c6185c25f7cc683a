import type { LookupAddress } from 'node:dns';
import type http from 'node:http';
import { isIP, type LookupFunction } from 'node:net';
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

/** Names the host but nothing of the network. */
export class BlockedAddress extends Error {
  constructor(host: string) {
    super(`${host} is not at a public address, and only the operator's definition may allow it (allowPrivateNetwork)`);
    this.name = 'BlockedAddress';
  }
}

/** Unknown names count, too: otherwise callers could probe names of the private network. */
export function looksBlocked(error: unknown, allowsPrivate: boolean): boolean {
  const { code } = error as { code?: unknown };
  return error instanceof BlockedAddress || (!allowsPrivate && /^(ENOTFOUND|EAI_)/.test(String(code)));
}

export type MayReach = (address: string) => boolean;

/** The connection uses these same addresses, so DNS rebinding cannot change them. */
export function guardedLookup(lookup: LookupFunction, mayReach: MayReach): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, answer) => {
      if (error) return callback(error, []);
      const addresses = answer as LookupAddress[];
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => mayReach(address))) return callback(new BlockedAddress(host), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export function guardAgent<A extends http.Agent>(agent: A, lookup: LookupFunction, mayReach: MayReach): A {
  const connect = agent.createConnection.bind(agent);
  const checked = guardedLookup(lookup, mayReach);
  agent.createConnection = (options, callback) => {
    const host = options.host ?? 'localhost';
    if (!isBlockedLiteral(host, mayReach)) return connect({ ...options, lookup: checked }, callback);
    callback?.(new BlockedAddress(host), undefined as never);
    return undefined;
  };
  return agent;
}

/** A literal address is connected to without a lookup. */
export function isBlockedLiteral(host: string, mayReach: MayReach): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) !== 0 && !mayReach(address);
}
