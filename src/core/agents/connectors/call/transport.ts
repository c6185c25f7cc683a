import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { redirectOf } from '../../../base/network/redirects.ts';
import { RuntimeError } from '../../../base/shared/errors.ts';

export interface CallPolicy {
  /** Tenants do not share connections. */
  tenantId: string;
  /** In CIDR notation. */
  allowPrivateNetworks: readonly string[];
}

/** With its secrets: never show, log or record it. */
export interface UpstreamRequest {
  method: string;
  url: URL;
  /** Names and values alternate. Without Host and headers of the connection. */
  headers: string[];
  body: string | null;
  /** The size of the decompressed body. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  /** By lower-case name. */
  headers: IncomingHttpHeaders;
  /** Decompressed. */
  body: Buffer;
}

/** The message discloses neither internal addresses nor secrets. */
export class TransportFault extends Error {
  /** `blocked` does not disclose whether an address is forbidden or its host unknown. */
  readonly kind: 'blocked' | 'unreachable' | 'broken' | 'too large' | 'undecodable';
  /** Whether the API may have received the request. */
  readonly maybeSent: boolean;
  readonly status: number | null;

  constructor(
    kind: TransportFault['kind'],
    message: string,
    { maybeSent, status = null, cause }: { maybeSent: boolean; status?: number | null; cause?: unknown },
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TransportFault';
    this.kind = kind;
    this.maybeSent = maybeSent;
    this.status = status;
  }
}

/**
 * Does not follow redirects. Rejects with a TransportFault, the signal's reason, or, before
 * sending, a RuntimeError `unavailable` when the memory budget is exhausted.
 */
export interface Transport {
  send(policy: CallPolicy, request: UpstreamRequest): Promise<UpstreamAnswer>;
}

/** For messages to callers: without IP addresses, which may be internal. */
export function shownHost({ hostname, host }: URL): string {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0 ? host : 'the host';
}

/** At most three, of GET and HEAD, within the same origin: no other host gets secrets. */
export function followRedirects(transport: Transport): Transport {
  return {
    async send(policy, request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return transport.send(policy, request);
      let { url } = request;
      for (let followed = 0; ; followed += 1) {
        const answer = await transport.send(policy, { ...request, url }).catch((error: unknown) => {
          throw followed === 0 ? error : afterRedirect(error);
        });
        const redirect = redirectOf(
          { status: answer.status, location: answer.headers.location },
          { from: url, followed },
        );
        if (redirect === null) return answer;
        if ('refusal' in redirect) throw blocked(request, answer, redirect.refusal);
        if (redirect.next.origin !== url.origin) {
          const why = 'redirects to another origin, which is not followed; if the API has moved, change the baseUrl';
          throw blocked(request, answer, why);
        }
        url = redirect.next;
      }
    },
  };
}

/** The API has already received a request. */
function afterRedirect(error: unknown): unknown {
  if (error instanceof TransportFault && !error.maybeSent) {
    return new TransportFault(error.kind, error.message, { maybeSent: true, status: error.status, cause: error });
  }
  if (!(error instanceof RuntimeError)) return error;
  return new TransportFault('broken', error.message, { maybeSent: true, cause: error });
}

/** Does not name the new address, which may be in a private network. */
function blocked({ url, method }: UpstreamRequest, { status }: UpstreamAnswer, why: string): TransportFault {
  return new TransportFault('blocked', `${method} is answered with ${status}: ${shownHost(url)} ${why}.`, {
    maybeSent: true,
    status,
  });
}
