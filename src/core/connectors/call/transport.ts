import type { IncomingHttpHeaders } from 'node:http';

/** Which connection pool a request uses, and where it may connect to. */
export interface CallPolicy {
  /** Tenants do not share connections. */
  tenantId: string;
  /** Private networks that may be reached, in CIDR notation. */
  allowPrivateNetworks: readonly string[];
}

/** A request with its secrets: never show, log or record it. */
export interface UpstreamRequest {
  method: string;
  /** With the query. */
  url: URL;
  /** Names and values alternate. Without Host and headers of the connection. */
  headers: string[];
  body: string | null;
  /** Limit of the decompressed body. */
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

/** Why there is no answer. The message discloses neither internal addresses nor secrets. */
export class TransportFault extends Error {
  /**
   * `blocked`: the address is forbidden or the host unknown (which callers cannot tell apart).
   * `unreachable`: no connection. `broken`: the connection broke, or the answer is not HTTP. `too
   * large`: more than `maxBytes`. `undecodable`: the body cannot be decompressed.
   */
  readonly kind: 'blocked' | 'unreachable' | 'broken' | 'too large' | 'undecodable';
  /** Whether the API may have received the request. */
  readonly maybeSent: boolean;
  /** The status, if it was received. */
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
 * Sends requests to APIs; does not follow redirects. Rejects with a TransportFault, with the reason
 * of the signal, or, before sending, with a RuntimeError `unavailable` when the memory budget for
 * answers is used up.
 */
export interface Transport {
  send(policy: CallPolicy, request: UpstreamRequest): Promise<UpstreamAnswer>;
}
