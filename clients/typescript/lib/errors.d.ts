import type { components } from '../api.d.ts';
/** The body of every error. */
export type ErrorBody = components['schemas']['Error'];
export type ErrorCode = 'invalid' | 'unauthenticated' | 'forbidden' | 'not_found' | 'conflict' | 'gone' | 'stale' | 'unprocessable' | 'rate_limited' | 'timeout' | 'upstream' | 'unavailable' | 'internal' | 'connection';
/**
 * An error response, or none. `message` is for people, `messages` has one entry per invalid field.
 *
 * ```ts
 * if (thrown instanceof AgentRuntimeError && thrown.code === 'rate_limited') await wait(thrown.retryAfter);
 * ```
 */
export declare class AgentRuntimeError extends Error {
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
    constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown, options?: ErrorOptions);
}
export declare function connectionError(cause: unknown, headers?: Headers): AgentRuntimeError;
/**
 * The data of a response; throws an `AgentRuntimeError` for an error response.
 *
 * ```ts
 * const { events } = await dataOf(client.GET('/api/v1/runtime/v1/observability/events/feed'));
 * ```
 */
export declare function dataOf<Data>(pending: Promise<{
    data?: Data;
    error?: unknown;
    response: Response;
}>): Promise<Exclude<Data, undefined>>;
