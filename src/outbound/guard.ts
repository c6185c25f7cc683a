import type { LookupAddress } from 'node:dns';
import type http from 'node:http';
import { isIP, type LookupFunction } from 'node:net';

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
