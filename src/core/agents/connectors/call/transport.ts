import type { IncomingHttpHeaders } from 'node:http';

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
  /** Of the decompressed body. */
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
