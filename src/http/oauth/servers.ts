import { LRUCache } from 'lru-cache';
import type { AllowedRequest, PendingRequest, PendingRequests } from '../../core/access/oauth/consent.ts';
import type { AuthorizationServerParts } from './adapter.ts';
import type { OAuthBase } from './address.ts';
import type { AuthorizationServer } from './authorization-server.ts';

/** With a public address there is one; without one, each loopback name and port is an issuer. */
const MAX_SERVERS = 8;

/**
 * The authorization servers by issuer, which share their state. Loaded with the first request, to
 * save memory.
 */
export class AuthorizationServers implements PendingRequests {
  private readonly parts: AuthorizationServerParts;
  private readonly servers = new LRUCache<OAuthBase, Promise<AuthorizationServer>>({ max: MAX_SERVERS });

  constructor(parts: AuthorizationServerParts) {
    this.parts = parts;
  }

  at(base: OAuthBase): Promise<AuthorizationServer> {
    const known = this.servers.get(base);
    if (known) return known;
    const server = import('./authorization-server.ts').then(
      ({ AuthorizationServer }) => new AuthorizationServer(base, this.parts),
    );
    this.servers.set(base, server);
    return server;
  }

  async find(id: string): Promise<PendingRequest | null> {
    return (await this.ofRequest(id))?.pending(id) ?? null;
  }

  async allow(id: string, allowed: AllowedRequest): Promise<string> {
    return (await this.requestedOf(id)).allow(id, allowed);
  }

  async refuse(id: string): Promise<string> {
    return (await this.requestedOf(id)).refuse(id);
  }

  private async requestedOf(id: string): Promise<AuthorizationServer> {
    const server = await this.ofRequest(id);
    if (!server) throw new Error('the request has expired');
    return server;
  }

  private async ofRequest(id: string): Promise<AuthorizationServer | null> {
    const record = await this.parts.store.find('Interaction', id);
    if (!record) return null;
    const returnTo = String(record.content.returnTo);
    return this.at(returnTo.slice(0, returnTo.lastIndexOf('/oauth/authorize/')));
  }
}
