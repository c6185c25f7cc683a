import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHandler, Response } from 'express';
import type { Caller } from '../core/caller.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Services } from '../core/services.ts';

/** The caller of a request that passed `authenticate`. */
export function callerOf(response: Response): Caller {
  return response.locals.caller as Caller;
}

/** From `x-api-key` or a bearer token to a Caller, who then pays one request from the key's rate limit. */
export function authenticate(services: Services): RequestHandler {
  return async (request, response, next) => {
    const caller = await services.auth.authenticate(credentialOf(request.headers));
    response.locals.caller = caller;
    services.rateLimiter.take(caller.credential.id);
    next();
  };
}

function credentialOf(headers: IncomingHttpHeaders): string {
  const apiKey = headers['x-api-key'] || undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (apiKey === undefined && headers.authorization !== undefined && bearer === undefined) {
    throw new RuntimeError('unauthenticated', 'The Authorization header is not of the form "Bearer <API key>".');
  }
  if (typeof apiKey === 'string' && bearer !== undefined && apiKey !== bearer) {
    throw new RuntimeError('unauthenticated', 'x-api-key and Authorization carry different keys. Send one of them.');
  }
  const credential = typeof apiKey === 'string' ? apiKey : bearer;
  if (credential !== undefined) return credential;
  throw new RuntimeError('unauthenticated', 'An API key is needed: send it as x-api-key or as a bearer token.');
}
