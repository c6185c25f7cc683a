import { realpathSync } from 'node:fs';
import type { OwnerInfo } from './owner.ts';
import { type Fetch, type SocketAddress, socketAddress, socketFetch } from './socket.ts';

const OWNER_TIMEOUT_MS = 1_000;
const METRICS_TIMEOUT_MS = 5_000;

/** Methods return null if no owner answers. */
export class OwnerClient {
  readonly fetch: Fetch;
  /** Valid until `close`. */
  readonly address: SocketAddress;
  private readonly socket: ReturnType<typeof socketFetch>;

  /** The directory must exist. */
  constructor(dataDir: string) {
    this.address = socketAddress(realpathSync(dataDir));
    this.socket = socketFetch(this.address);
    this.fetch = this.socket.fetch;
  }

  owner(): Promise<OwnerInfo | null> {
    return this.ask<OwnerInfo>('/-/owner', 'GET');
  }

  /** The owner refuses unless its `yields` is true. */
  requestYield(): Promise<OwnerInfo | null> {
    return this.ask<OwnerInfo>('/-/yield', 'POST');
  }

  async ready(): Promise<boolean> {
    return (await this.ask('/readyz', 'GET')) !== null;
  }

  async metrics(): Promise<string | null> {
    try {
      const response = await this.fetch('http://localhost/metrics', {
        signal: AbortSignal.timeout(METRICS_TIMEOUT_MS),
      });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }

  async close(): Promise<void> {
    await this.socket.close();
    this.address.close();
  }

  private async ask<Answer>(path: string, method: string): Promise<Answer | null> {
    try {
      const signal = AbortSignal.timeout(OWNER_TIMEOUT_MS);
      const response = await this.fetch(`http://localhost${path}`, { method, signal });
      return response.status < 500 ? ((await response.json()) as Answer) : null;
    } catch {
      return null; // The owner has just ended, or is just starting.
    }
  }
}
