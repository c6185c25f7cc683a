import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BlockedAddress, guardedLookup, isPublicAddress } from '../outbound/guard.ts';
import type { FoundProvider } from '../storage/state/sql/examined.ts';
import type { Finding } from './findings.ts';

/** Short, since a user waits. */
const LOOKUP_TIMEOUT_MS = 3_000;

/** Does not connect. */
export async function findingsOfAddresses(
  found: readonly FoundProvider[],
  lookup = dns.lookup as LookupFunction,
): Promise<Finding[]> {
  const check = 'provider addresses';
  const named = found.filter(({ provider }) => provider.definition.baseUrl !== undefined);
  if (named.length === 0) return [];
  const findings = await Promise.all(
    named.map(async ({ tenant, provider: { name, definition } }): Promise<Finding[]> => {
      const { hostname } = new URL(definition.baseUrl!);
      const error = await faultOf(hostname, definition.allowPrivateNetwork, lookup);
      if (error === null) return [];
      const where = `${name} of tenant ${tenant}`;
      if (error instanceof BlockedAddress) return [{ check, status: 'failed', message: `${where}: ${error.message}` }];
      return [{ check, status: 'warning', message: `${where}: ${hostname} is not found from here (${error.code})` }];
    }),
  );
  const faults = findings.flat();
  if (faults.length > 0) return faults;
  return [{ check, status: 'ok', message: `found: ${named.length}; nothing was asked there` }];
}

/** Null: chats may go there. */
function faultOf(
  hostname: string,
  allowPrivateNetwork: boolean,
  lookup: LookupFunction,
): Promise<NodeJS.ErrnoException | null> {
  const mayReach = allowPrivateNetwork ? () => true : isPublicAddress;
  // A URL has brackets around an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve) => {
    const timedOut = Object.assign(new Error(), { code: `no answer within ${LOOKUP_TIMEOUT_MS / 1_000} s` });
    const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS, timedOut);
    guardedLookup(lookup, mayReach)(host, { all: true }, (error) => {
      clearTimeout(timer);
      resolve(error);
    });
  });
}
