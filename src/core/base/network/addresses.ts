import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

export const networkSchema = z
  .string()
  .refine(isNetwork, 'must be a network such as 10.1.0.0/16 or fd00::/8; of one address 10.1.0.7/32');

function isNetwork(text: string): boolean {
  return /^[\d.]+\/|:/.test(text) && ipaddr.isValidCIDR(text);
}

/** IPv4-mapped IPv6 addresses count as IPv4. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}

/** Some proxies add the port to `X-Forwarded-For`; it differs per connection. */
export function withoutPort(address: string): string {
  return address.replace(/^\[(.+)\](:\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
}

/** Limits apply to an address, or to its /64 network for IPv6. */
export function clientNetwork(address: string): string {
  const plain = withoutPort(address).replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIP(plain) !== 6) return plain;
  const groups = ipaddr.IPv6.parse(plain).parts.slice(0, 4);
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`;
}

/** Takes the hostname of a URL, in lower case. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/** Takes the address of a peer, as Node.js writes it. */
export function isLoopbackAddress(address: string): boolean {
  return /^(::1$|(::ffff:)?127\.)/.test(address);
}

/** An address or a network in CIDR notation; the result is a network. */
export const trustedProxySchema = z.string().transform((text, context) => {
  const network = networkOf(text);
  if (network !== null) return network;
  context.addIssue({
    code: 'custom',
    message: `"${text}" is not the address or the network of a proxy. Write 10.0.0.7, 10.0.0.0/8 or fd00::/8, separated by commas; /0 would be everyone.`,
  });
  return z.NEVER;
});

function networkOf(text: string): string | null {
  const [, address = '', bits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const mostBits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  const length = Number(bits ?? mostBits);
  return length >= 1 && length <= mostBits ? `${address}/${length}` : null;
}

/** The owner socket has no address and is not a proxy. */
export type IsTrustedProxy = (address: string | undefined) => boolean;

export function trustedProxies(networks: readonly string[]): IsTrustedProxy {
  return (address = '') => {
    const plain = withoutPort(address);
    return isIP(plain) !== 0 && isWithin(plain, networks);
  };
}

/** Does not resolve names: the SSRF guard checks addresses on connect. */
export function isPrivateUrl({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  // An IPv4-mapped IPv6 address counts as IPv4.
  return ipaddr.process(host).range() !== 'unicast';
}
