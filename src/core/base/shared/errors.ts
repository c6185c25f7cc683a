/** Each transport maps the codes; any other error is a defect ("Internal error"). */
export type ErrorCode =
  | 'invalid' // wrong shape: `messages` names each field
  | 'unauthenticated' // no credential, or one that is not valid
  | 'forbidden' // a valid credential without access
  | 'not_found'
  | 'conflict'
  | 'gone' // used up, withdrawn or expired
  | 'stale' // changed by somebody else since it was read
  | 'unprocessable' // right shape, wrong meaning
  | 'rate_limited'
  | 'timeout' // the work took too long
  | 'upstream' // an external service failed
  | 'unavailable'; // the same request may succeed later

export interface ErrorDetail {
  /** Only for `invalid`: one per wrong field, beginning with its path. */
  messages?: string[];
  scope?: string;
  /**
   * Only for `unauthenticated`: the error code of RFC 6750, which tells clients to fetch a new
   * token.
   */
  challenge?: 'invalid_token';
  /** Seconds. For `forbidden`: a second factor that was given within them is needed (RFC 9470). */
  maxAge?: number;
  /** Seconds. For `rate_limited` and `unavailable`. */
  retryAfter?: number;
  /** Only for `unauthenticated`: for the tenant's audit log, never shown. */
  refused?: RefusedCredential;
  cause?: unknown;
}

/** Revoked, expired, or with another secret. */
export interface RefusedCredential {
  tenantId: string;
  kind: 'key' | 'user';
  id: string;
  label: string;
  /** The application of an access token. */
  client?: string;
}

export class RuntimeError extends Error {
  readonly code: ErrorCode;
  readonly messages: string[];
  readonly scope: string | undefined;
  readonly challenge: 'invalid_token' | undefined;
  readonly maxAge: number | undefined;
  readonly retryAfter: number | undefined;
  readonly refused: RefusedCredential | undefined;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, detail.cause === undefined ? undefined : { cause: detail.cause });
    this.name = 'RuntimeError';
    this.code = code;
    this.messages = detail.messages ?? [message];
    this.scope = detail.scope;
    this.challenge = detail.challenge;
    this.maxAge = detail.maxAge;
    this.retryAfter = detail.retryAfter;
    this.refused = detail.refused;
  }
}

export class ServerStopped extends RuntimeError {
  constructor(message = 'The server was stopped before the answer ended.') {
    super('unavailable', message, { retryAfter: 1 });
  }
}

export function invalid(...messages: string[]): RuntimeError {
  return new RuntimeError('invalid', messages.join('; '), { messages });
}

export function notFound(what: string): RuntimeError {
  return new RuntimeError('not_found', what);
}

export function forbidden(message: string): RuntimeError {
  return new RuntimeError('forbidden', message);
}

/** `forbidden`, naming the limit of the caller outside of which something lies. */
export function outside(limit: string, what: string): RuntimeError {
  return forbidden(
    `This needs ${what}, which lies outside of limits.${limit} of this credential. Use one that reaches it.`,
  );
}

export function conflict(message: string): RuntimeError {
  return new RuntimeError('conflict', message);
}

export function unprocessable(message: string): RuntimeError {
  return new RuntimeError('unprocessable', message);
}

/** For `catch`: null in place of what does not exist. */
export function nullIfUnknown(error: unknown): null {
  if (error instanceof RuntimeError && error.code === 'not_found') return null;
  throw error;
}

/** For requests that were under way. */
export function tenantRemoved(): RuntimeError {
  return notFound('The tenant was removed.');
}

/** A tenant has as many as it can. */
export function tooMany(things: string, maximum: number): RuntimeError {
  return unprocessable(`A tenant has at most ${maximum.toLocaleString('en')} ${things}.`);
}

/**
 * Nothing goes on without what failed: the process ends, and its next start reads what is on disk.
 */
export class FatalError extends Error {}
