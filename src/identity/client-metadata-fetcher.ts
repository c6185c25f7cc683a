import { type Rate, type SharedRates, sharesOf, TokenBuckets } from '../core/limits/rates/buckets.ts';
import type { IdentityFetch } from './fetch.ts';

/** The rate of one document, which is cached for a minute or more when it is right, and of all. */
const OF_ONE: Rate = { perMinute: 2, burst: 4 };
const OF_ALL: SharedRates = { all: { perMinute: 60, burst: 120 }, quiet: { perMinute: 0.2, burst: 5 } };
const CACHED_MS = 60_000;

/**
 * Metadata documents and key sets of OAuth clients, at addresses that anybody may name: behind the
 * guard, bounded in size, fetched seldom, and never from this server itself.
 */
export class ClientMetadataFetcher {
  private readonly networks: readonly string[];
  private readonly buckets: TokenBuckets;
  private fetching: Promise<IdentityFetch> | undefined;

  constructor(networks: readonly string[], now: () => number) {
    this.networks = networks;
    this.buckets = new TokenBuckets(now, 10_000);
  }

  /** `address` is the client's that names the document. */
  admit(clientId: string, base: string, address: string): boolean {
    if (new URL(clientId).host === new URL(base).host) return false;
    const ofOne = { name: `document ${clientId}`, rate: OF_ONE };
    return sharesOf('all', address, OF_ALL).some((share) => this.buckets.takeEach([ofOne, ...share]) === null);
  }

  readonly fetch: typeof fetch = async (input, init) => {
    this.fetching ??= this.load();
    const { headers, signal } = init ?? {};
    const sent = { headers: headers as Headers | undefined, signal: signal ?? undefined };
    return (await this.fetching)(String(input), sent);
  };

  /** Loaded on use: undici is large. */
  private async load(): Promise<IdentityFetch> {
    const { IdentityRequests } = await import('./fetch.ts');
    const place = { uid: 'clients of OAuth', revision: 0, tenantId: null };
    return new IdentityRequests(this.networks).documentsFor(place, CACHED_MS);
  }
}
