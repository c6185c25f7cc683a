import ipaddr from 'ipaddr.js';

/**
 * Whether a URL leads, by its very text, to this machine or into a private network. A name is not looked up: what it leads
 * to is known, and refused, when it is connected to.
 */
export function isPrivateUrl({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  // An IPv4 address within an IPv6 one counts as what it is.
  return ipaddr.process(host).range() !== 'unicast';
}
