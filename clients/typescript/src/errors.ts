import type { components } from '../api.d.ts';

/** The body of every error. */
export type ErrorBody = components['schemas']['Error'];

export type ErrorCode =
  | 'invalid' // 400, 405, 413, 415: the same request cannot succeed
  | 'unauthenticated' // 401
  | 'forbidden' // 403
  | 'not_found' // 404
  | 'conflict' // 409
  | 'gone' // 410: used up, withdrawn or expired
  | 'stale' // 412: changed since it was read
  | 'unprocessable' // 422
  | 'rate_limited' // 429
  | 'timeout' // 408, 504
  | 'upstream' // 502: an external service failed
  | 'unavailable' // 503
  | 'internal' // any other
  | 'connection'; // no response, or one that broke off

const CODES: Record<number, ErrorCode> = {
  0: 'connection',
  400: 'invalid',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'invalid',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  412: 'stale',
  413: 'invalid',
  415: 'invalid',
  422: 'unprocessable',
  429: 'rate_limited',
  502: 'upstream',
  503: 'unavailable',
  504: 'timeout',
};

/**
 * An error response, or none. `message` is for people, `messages` has one entry per invalid field.
 *
 * ```ts
 * if (thrown instanceof AgentRuntimeError && thrown.code === 'rate_limited') await wait(thrown.retryAfter);
 * ```
 */
export class AgentRuntimeError extends Error {
  readonly code: ErrorCode;
  /** Of HTTP; 0 for `connection`. */
  readonly status: number;
  readonly messages: string[];
  /** Of a server error; the server's log has the details under it. */
  readonly requestId: string | null;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | null;
  /**
   * The whole body; of a connector call `Schemas['FailedCall']`, with `fallback`, `data` and
   * `metadata`.
   */
  readonly body: unknown;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown, options?: ErrorOptions) {
    const messages = messagesOf(body) ?? [`The server answered ${status}.`];
    super(messages.join('; '), options);
    this.name = 'AgentRuntimeError';
    this.code = CODES[status] ?? 'internal';
    this.status = status;
    this.messages = messages;
    this.requestId = headers.get('x-request-id');
    this.retryAfter = headers.has('retry-after') ? Number(headers.get('retry-after')) : null;
    this.body = body;
  }
}

/** From an error body or a connector's envelope; null for a response of another program. */
function messagesOf(body: unknown): string[] | null {
  const { message, success, error } = (body || {}) as Partial<ErrorBody & components['schemas']['FailedCall']>;
  if (message !== undefined) return [message].flat();
  return success === false && error !== undefined ? [error] : null;
}

export function connectionError(cause: unknown, headers: Headers = new Headers()): AgentRuntimeError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AgentRuntimeError({ status: 0, headers }, { message: `No complete response: ${why}` }, { cause });
}

/**
 * The data of a response; throws an `AgentRuntimeError` for an error response.
 *
 * ```ts
 * const { events } = await dataOf(client.GET('/api/v1/runtime/v1/observability/events/feed'));
 * ```
 */
export async function dataOf<Data>(
  pending: Promise<{ data?: Data; error?: unknown; response: Response }>,
): Promise<Exclude<Data, undefined>> {
  const { data, error, response } = await pending;
  if (!response.ok) throw new AgentRuntimeError(response, error);
  return data as Exclude<Data, undefined>;
}
