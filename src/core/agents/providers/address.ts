import ipaddr from 'ipaddr.js';

/** Does not resolve names: the SSRF guard checks addresses on connect. */
export function isPrivateUrl({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (!ipaddr.isValid(host)) return host === 'localhost' || host.endsWith('.localhost');
  // An IPv4-mapped IPv6 address counts as IPv4.
  return ipaddr.process(host).range() !== 'unicast';
}
