import { LRUCache } from 'lru-cache';
import { fetch as undiciFetch } from 'undici';
import { IdentityProviderFault, type OpenedProvider } from '../core/access/sso/relying-party.ts';
import { dispatchers } from '../outbound/dispatchers.ts';
import { looksBlocked } from '../outbound/guard.ts';

/** More than any discovery document, key set or token response. */
const MAX_BYTES = 512 * 1024;
const MAX_CACHED = 500;
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** A provider that is down is not asked for each click of each stranger. */
const FAILED_MS = 3_000;
const NO_BODY = new Set([101, 204, 205, 304]);

export interface SentRequest {
  body?: unknown;
  headers?: Headers | Record<string, string> | undefined;
  method?: string;
  signal?: AbortSignal | undefined;
}
export type IdentityFetch = (url: string, init: SentRequest) => Promise<Response>;

/** Whose documents are cached together. */
type DocumentsOf = Pick<OpenedProvider, 'uid' | 'revision' | 'tenantId'>;

interface Answered {
  status: number;
  body: Uint8Array<ArrayBuffer>;
  headers: [string, string][];
}

/**
 * Requests to identity providers: behind the SSRF guard, without redirects, bounded in size. The
 * caller bounds the time.
 */
export class IdentityRequests {
  private readonly networks: readonly string[];
  private readonly connections: Pick<typeof dispatchers, 'callDispatcherFor'>;
  private readonly documents = new LRUCache<string, Promise<Answered>>({
    max: MAX_CACHED,
    maxSize: MAX_CACHED_BYTES,
  });

  constructor(networks: readonly string[], connections: Pick<typeof dispatchers, 'callDispatcherFor'> = dispatchers) {
    this.networks = networks;
    this.connections = connections;
  }

  fetchFor({ tenantId }: OpenedProvider): IdentityFetch {
    return async (url, init) => responseOf(await this.send(url, init, tenantId ?? ''));
  }

  /** For what anybody can cause: single-flight, cached for so long; failures for three seconds. */
  documentsFor({ uid, revision, tenantId }: DocumentsOf, cachedMs: number): IdentityFetch {
    return async (url, { headers, signal }) => {
      const key = `${uid} ${revision} ${url}`;
      const known = this.documents.get(key);
      if (known) return responseOf(await known);
      const answer = this.send(url, { headers, signal }, tenantId ?? '');
      const keep = (ttl: number, size: number) => this.documents.set(key, answer, { ttl, size });
      keep(cachedMs, 1);
      const settled = (isFound: boolean, size: number) => {
        if (this.documents.peek(key) === answer) keep(isFound ? cachedMs : Math.min(FAILED_MS, cachedMs), size);
      };
      answer.then(
        ({ status, body }) => settled(status === 200, body.length + 1),
        () => settled(false, 1),
      );
      return responseOf(await answer);
    };
  }

  private async send(url: string, init: SentRequest, tenantId: string): Promise<Answered> {
    const { host } = new URL(url);
    const headers = new Headers(init.headers);
    headers.set('accept-encoding', 'identity');
    headers.set('user-agent', 'agent-runtime');
    const policy = { tenantId, allowPrivateNetworks: this.networks };
    const { method = 'GET', body, signal } = init;
    const request = {
      ...{ method, body, signal, redirect: 'manual' },
      headers: Object.fromEntries(headers),
      dispatcher: this.connections.callDispatcherFor(policy),
    };
    try {
      // undici and Node declare the same interfaces.
      const response = await undiciFetch(url, request as object);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of response.body ?? []) {
        size += chunk.length;
        if (size > MAX_BYTES)
          throw new IdentityProviderFault('discovery', `the host ${host} answered with more than ${MAX_BYTES} bytes`);
        chunks.push(chunk);
      }
      return { status: response.status, headers: [...response.headers], body: new Uint8Array(Buffer.concat(chunks)) };
    } catch (error) {
      if (error instanceof IdentityProviderFault) throw error;
      throw this.fault(error, host, signal);
    }
  }

  /** Shows codes alone: messages name internal addresses. */
  private fault(error: unknown, host: string, signal: AbortSignal | undefined): IdentityProviderFault {
    const { cause = error } = error as { cause?: unknown };
    if (signal?.aborted)
      return new IdentityProviderFault('unreachable', `the host ${host} did not answer in time`, cause);
    if (looksBlocked(cause, this.networks.length > 0)) {
      const where =
        'is not known, or not at a public address; the operator may allow others (AGENT_RUNTIME_IDENTITY_NETWORKS)';
      return new IdentityProviderFault('unreachable', `the host ${host} ${where}`, cause);
    }
    const { code } = cause as { code?: unknown };
    const shown = typeof code === 'string' && /^[A-Z][A-Z_0-9]+$/.test(code) ? ` (${code})` : '';
    return new IdentityProviderFault('unreachable', `the host ${host} could not be reached${shown}`, cause);
  }
}

function responseOf({ status, body, headers }: Answered): Response {
  return new Response(NO_BODY.has(status) ? null : body, { status, headers });
}
