import { isIP } from 'node:net';

/** A host as callers may read it. Addresses are not for them: a definition that the operator has written may hold one within. */
export function shownHost({ hostname, host }: URL): string {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? host : 'the host';
}
