import { STATUS_CODES } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { type AuditLog, actorOf } from '../core/base/audit/log.ts';
import type { Actor } from '../core/base/audit/store.ts';
import type { Caller } from '../core/base/shared/caller.ts';
import { type ErrorCode, RuntimeError } from '../core/base/shared/errors.ts';
import { responseSchemas } from '../core/base/shared/schema-names.ts';
import type { Log } from '../logging/log.ts';

const STATUS_OF_CODE: Record<ErrorCode, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  stale: 412,
  unprocessable: 422,
  rate_limited: 429,
  upstream: 502,
  unavailable: 503,
  timeout: 504,
};

export const errorBodySchema = z.object({
  statusCode: z.int(),
  message: z.union([z.string(), z.array(z.string())]).describe('An array for 400, each item naming its field.'),
  error: z.string().describe('The reason phrase of the status.'),
  requestId: z.string().optional().describe('The id under which the log has the error; only with 5xx.'),
});
responseSchemas.add(errorBodySchema, { id: 'Error' });
export type ErrorBody = z.output<typeof errorBodySchema>;

/** The inverse of `makeErrorBody`, for clients of the owner's socket. */
export function errorOfBody(body: unknown): Error {
  const { statusCode, message, requestId } = errorBodySchema.parse(body);
  const messages = [message].flat();
  const code = (Object.keys(STATUS_OF_CODE) as ErrorCode[]).find((one) => STATUS_OF_CODE[one] === statusCode);
  if (code !== undefined) return new RuntimeError(code, messages.join('; '), { messages });
  return new Error([...messages, ...(requestId === undefined ? [] : [requestId])].join(' '));
}

export class HttpError extends Error {
  readonly statusCode: number;
  readonly headers: Record<string, string>;

  constructor(statusCode: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** Additions to the challenge of a 401 or 403, from `response.locals.oauth`. */
interface OAuthChallenge {
  metadata: string;
  scope: string | undefined;
}

/** Null where OAuth is off. */
export type ChallengeOf = () => OAuthChallenge | null;

export type FailureBody = (error: unknown, message: string) => unknown;

/** Replaces the error body, except for 401 and 403. */
export function useFailureBody(bodyOf: FailureBody): RequestHandler {
  return (_request, response, next) => {
    response.locals.failureBody = bodyOf;
    next();
  };
}

export function errorHandler(log: Log) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const requestId = String(response.getHeader('x-request-id') ?? '');
    const { statusCode, message, headers } = translate(error, response.locals.oauth as ChallengeOf | undefined);
    // The disconnected client may have caused the error.
    if (response.destroyed) return;
    if (isTransient(error))
      log.warn({ requestId, path: request.path, reason: message }, 'request not answered for now');
    else if (statusCode >= 500) log.error({ requestId, err: error, path: request.path }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const isRefused = statusCode === 401 || statusCode === 403;
    const ownBody = isRefused ? undefined : (response.locals.failureBody as FailureBody | undefined);
    response
      .status(statusCode)
      .set(headers)
      .json(ownBody?.(error, [message].flat().join('; ')) ?? makeErrorBody(statusCode, message, requestId));
  };
}

export function makeErrorBody(statusCode: number, message: string | string[], requestId: string): ErrorBody {
  const body = { statusCode, message, error: STATUS_CODES[statusCode] ?? 'Error' };
  return statusCode >= 500 ? { ...body, requestId } : body;
}

/** For a stream that has begun. */
export function errorBodyOf(error: unknown, requestId: string): ErrorBody {
  const { statusCode, message } = translate(error);
  return makeErrorBody(statusCode, message, requestId);
}

/** A limit was reached or an upstream failed. Faults of this machine have a `cause`. */
function isTransient(error: unknown): boolean {
  return error instanceof RuntimeError && TRANSIENT_CODES.has(error.code) && error.cause === undefined;
}

const TRANSIENT_CODES = new Set<ErrorCode>(['unavailable', 'upstream', 'timeout']);

interface Translation {
  statusCode: number;
  message: string | string[];
  headers: Record<string, string>;
}

function translate(error: unknown, oauth?: ChallengeOf): Translation {
  if (error instanceof RuntimeError) return translateRuntimeError(error, oauth);
  if (error instanceof HttpError) return error;
  const fromParser = translateParserError(error);
  if (fromParser) return { headers: {}, ...fromParser };
  return { statusCode: 500, message: 'Internal error. The log has the details under this requestId.', headers: {} };
}

function translateRuntimeError(error: RuntimeError, oauth: ChallengeOf | undefined): Translation {
  const statusCode = STATUS_OF_CODE[error.code];
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter);
  if (statusCode === 401 || statusCode === 403) {
    headers['www-authenticate'] = challengeOf(error, oauth?.() ?? null);
  }
  return { statusCode, message: statusCode === 400 ? error.messages : error.message, headers };
}

/** RFC 6750, RFC 9470 and, where OAuth is on, RFC 9728. */
function challengeOf({ code, scope, maxAge, challenge }: RuntimeError, oauth: OAuthChallenge | null): string {
  const stepUp = maxAge === undefined ? challenge : 'insufficient_user_authentication';
  const error = scope === undefined ? stepUp : 'insufficient_scope';
  // At /mcp, a lacking scope leads hosts back to the person, too.
  const leadsOn = code === 'unauthenticated' || oauth?.scope !== undefined;
  const wanted = scope ?? (code === 'unauthenticated' ? oauth?.scope : undefined);
  const parameters = {
    realm: 'agent-runtime',
    error,
    scope: wanted,
    max_age: maxAge,
    resource_metadata: leadsOn ? oauth?.metadata : undefined,
  };
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined);
  return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`;
}

/** Errors of body-parser and the router. */
function translateParserError(error: unknown): { statusCode: number; message: string | string[] } | null {
  const { type, status, limit, code } = error as { type?: string; status?: number; limit?: number; code?: unknown };
  if (type === 'entity.too.large') {
    return { statusCode: 413, message: `The body exceeds ${limit} bytes. Send it in smaller parts.` };
  }
  if (type === 'entity.parse.failed') return { statusCode: 400, message: ['body: is not valid JSON'] };
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return { statusCode: 415, message: 'The encoding is not supported. Send UTF-8, plain, gzip, deflate or br.' };
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return { statusCode: 400, message: ['body: ended before its announced length'] };
  }
  if (String(code).startsWith('Z_')) return { statusCode: 400, message: ['body: is not validly compressed'] };
  if (status === 400) return { statusCode: 400, message: ['request: is malformed'] };
  return null;
}

/** Records 401 and 403 after the response, whose timing must not reveal whether a key exists. */
export function recordRefusals(audit: AuditLog): ErrorRequestHandler {
  return (error, request, response, next) => {
    const refusal = error instanceof RuntimeError && refusedActor(error, response.locals.caller as Caller | undefined);
    if (refusal) {
      const { tenantId, actor, reason } = refusal;
      // The pattern, since a path may contain a secret.
      const details = { method: request.method, route: String(request.route?.path ?? 'unmatched'), reason };
      void nextTurn().then(() => audit.record(actor, tenantId, 'request.refused', null, details));
    }
    next(error);
  };
}

function refusedActor(
  { code, message, refused, maxAge }: RuntimeError,
  caller: Caller | undefined,
): { tenantId: string; actor: Actor; reason: string } | null {
  // Asking for a second factor refuses nothing.
  if (maxAge !== undefined) return null;
  if (code === 'forbidden' && caller) return { tenantId: caller.tenantId, actor: actorOf(caller), reason: message };
  if (code !== 'unauthenticated' || !refused) return null;
  const { tenantId, ...actor } = refused;
  return { tenantId, actor, reason: message };
}
