import { isIP } from 'node:net';

/** The host for messages to callers, without IP addresses, which may be internal ones. */
export function shownHost({ hostname, host }: URL): string {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? host : 'the host';
}
