import type { IncomingHttpHeaders } from 'node:http';

/** Which of the server's connections a request may use, and where it may go. */
export interface CallPolicy {
  /** No two tenants share a connection. */
  tenantId: string;
  /** Networks that are not public and may be reached, as CIDR writes them. */
  allowPrivateNetworks: readonly string[];
}

/** One request to an API, with its secrets: never to be shown, logged or recorded. */
export interface UpstreamRequest {
  method: string;
  /** Whole, with its query. */
  url: URL;
  /** Names and values in turn; neither Host nor anything of the connection. */
  headers: string[];
  body: string | null;
  /** The most of the answer's body, decompressed. */
  maxBytes: number;
  /** Ends the request, whatever it has come to. */
  signal: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  /** By their names in small letters. */
  headers: IncomingHttpHeaders;
  /** Decompressed. */
  body: Buffer;
}

/** Why there is no answer. The message is for the caller: it names the host, and tells nothing of this server's network or of a secret. */
export class TransportFault extends Error {
  /**
   * `blocked`: the address may not be reached, or the host is not known, which is told alike. `unreachable`: no connection.
   * `broken`: it broke off, or is no HTTP. `too large`: more than `maxBytes`. `undecodable`: the body is not compressed as it says.
   */
  readonly kind: 'blocked' | 'unreachable' | 'broken' | 'too large' | 'undecodable';
  /** Whether the API may have received the request. */
  readonly maybeSent: boolean;
  /** What the API answered, where it came so far. */
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
 * How requests get to APIs. Rejects with a TransportFault, with the signal's reason, or, before anything is sent, with a
 * RuntimeError `unavailable` when there is no room for another answer. Redirects are handed back as they are.
 */
export interface Transport {
  send(policy: CallPolicy, request: UpstreamRequest): Promise<UpstreamAnswer>;
}
