import { isIP } from 'node:net';

/** For messages to callers: without IP addresses, which may be internal. */
export function shownHost({ hostname, host }: URL): string {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? host : 'the host';
}
