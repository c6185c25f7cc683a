import ipaddr from 'ipaddr.js';

/** Names are not resolved: the SSRF guard checks their addresses when it connects. */
export function isPrivateUrl({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  // An IPv4-mapped IPv6 address counts as IPv4.
  return ipaddr.process(host).range() !== 'unicast';
}
