import ipaddr from 'ipaddr.js';
import { z } from 'zod';

/** A network as CIDR writes it: 10.1.0.0/16, fd00::/8, 127.0.0.1/32. */
export const networkSchema = z
  .string('must be a string')
  .refine(isNetwork, 'must be a network such as 10.1.0.0/16 or fd00::/8; of one address 10.1.0.7/32');

function isNetwork(text: string): boolean {
  return /^[\d.]+\/|:/.test(text) && ipaddr.isValidCIDR(text);
}

/** Whether an IP address is in one of the networks. An IPv4 address written as IPv6 counts as what it is. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address) || address.includes('%')) return false;
  const parsed = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = ipaddr.parseCIDR(network);
    return base.kind() === parsed.kind() && parsed.match(base, bits);
  });
}
