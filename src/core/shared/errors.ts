/** Each transport maps a code to its own form; any other error is a defect ("Internal error"). */
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
  /** Seconds until a retry makes sense. For `rate_limited` and `unavailable`. */
  retryAfter?: number;
  /** For the audit log of the tenant; never shown. Only for `unauthenticated`. */
  refused?: RefusedCredential;
  cause?: unknown;
}

/** A known credential that is not valid: revoked, expired, or with another secret. */
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

/** The abort reason of running work when the server is stopped. */
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
