/**
 * What can go wrong, in words that every adapter understands. Each adapter has one map from code to its own
 * language (HTTP status, MCP `isError`, exit code). Anything that is not a RuntimeError is a defect: it reads
 * "Internal error" outside and is logged inside.
 */
export type ErrorCode =
  | 'invalid' // the shape of the input is wrong; `details` names each field
  | 'unauthenticated' // no credential, or one that is not valid
  | 'forbidden' // a valid credential without access
  | 'not_found'
  | 'conflict'
  | 'unprocessable' // right shape, wrong meaning
  | 'rate_limited'
  | 'timeout' // the work took longer than it may
  | 'upstream' // a service that the work depends on failed
  | 'unavailable'; // not now; the same request may succeed later

export interface ErrorDetail {
  /** One message per wrong field, each beginning with its path. Only for `invalid`. */
  messages?: string[];
  /** The scope that was missing. Only for `forbidden`. */
  scope?: string;
  /** Seconds after which a retry makes sense. For `rate_limited` and `unavailable`. */
  retryAfter?: number;
  /** Whose credential was not accepted, for the audit log of its tenant; it is never shown. Only for `unauthenticated`. */
  refused?: RefusedCredential;
  cause?: unknown;
}

/** A credential that is known and not valid: revoked, expired, with another secret. */
export interface RefusedCredential {
  tenantId: string;
  kind: 'key' | 'user';
  id: string;
  label: string;
}

export class RuntimeError extends Error {
  readonly code: ErrorCode;
  readonly messages: string[];
  readonly scope: string | undefined;
  readonly retryAfter: number | undefined;
  readonly refused: RefusedCredential | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'RuntimeError';
    this.code = code;
    this.messages = detail.messages ?? [message];
    this.scope = detail.scope;
    this.retryAfter = detail.retryAfter;
    this.refused = detail.refused;
  }
}

/** Why work is ended that nobody has left: the reason of its signal when the server is stopped. */
export class ServerStopped extends RuntimeError {
  constructor() {
    super('unavailable', 'The server was stopped before the answer ended.', { retryAfter: 1 });
  }
}

/** Input of the wrong shape: one message per field, each beginning with its path. */
export function invalid(...messages: string[]): RuntimeError {
  return new RuntimeError('invalid', messages.join('; '), { messages });
}

export function notFound(what: string): RuntimeError {
  return new RuntimeError('not_found', what);
}
