import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { BlockedAddress, guardedLookup, isBlockedLiteral, type MayReach } from './guard.ts';

/** An undici connector behind the SSRF guard. */
export function guardedConnector(
  lookup: LookupFunction,
  mayReach: MayReach,
  timeoutMs: number,
): buildConnector.connector {
  const connect = buildConnector({ lookup: guardedLookup(lookup, mayReach), timeout: timeoutMs });
  return (options, callback) => {
    // In the next tick: undici has yet to queue the request.
    if (isBlockedLiteral(options.hostname, mayReach)) {
      process.nextTick(callback, new BlockedAddress(options.hostname), null);
    } else {
      connect(options, callback);
    }
  };
}
