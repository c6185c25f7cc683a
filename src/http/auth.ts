import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { isToken } from '../core/access/auth/tokens.ts';
import { isAccessToken } from '../core/access/oauth/token-authenticator.ts';
import type { Caller } from '../core/base/shared/caller.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Services } from '../core/services.ts';
import { addressOf } from './address.ts';
import { type CookiePlace, endedSession, sessionTokenOf } from './session-cookie.ts';

export function requestCaller(response: Response): Caller {
  return response.locals.caller as Caller;
}

/** Unauthenticated requests share one tenant's part of the budgets. */
export function requestTenantId(response: Response): string {
  return (response.locals.caller as Caller | undefined)?.tenantId ?? '';
}

export interface AcceptedCredentials {
  /** The audience that access tokens must have; null: none is accepted. */
  audienceOf(request: Request): string | null;
  /** If given, the session cookie is accepted as well. */
  cookiePlaceOf?(request: Request): CookiePlace;
}

/** Resolves the credential to a Caller and takes one request from the rate limit. */
export function authenticate(services: Services, accepted: AcceptedCredentials): RequestHandler {
  return async (request, response, next) => {
    const credential = credentialOf(request, accepted);
    const caller = await resolveCaller(credential, services, () => accepted.audienceOf(request)).catch(
      (error: unknown) => {
        countWrongKey(error, credential, { request, services });
        const place = accepted.cookiePlaceOf?.(request);
        if (place && isOfEndedSession(error, credential)) response.append('set-cookie', endedSession(place));
        throw error;
      },
    );
    response.locals.caller = caller;
    response.locals.authenticatedAt = performance.now();
    await services.rateLimiter.take(caller);
    next();
  };
}

/** Requests over the data directory's socket have no address and are not counted. */
function countWrongKey(
  error: unknown,
  { text, sentAs }: Credential,
  { request, services }: { request: Request; services: Services },
): void {
  // Access tokens end after an hour: that clients send them once more is usual.
  const isKey = sentAs !== 'cookie' && !isToken(text) && !isAccessToken(text);
  const isWrongKey = error instanceof RuntimeError && error.code === 'unauthenticated' && isKey;
  if (isWrongKey && request.ip !== undefined) services.rateLimiter.countWrongKey(addressOf(request));
}

/**
 * False for an unknown token: cookies ignore ports, so it may belong to another server on this
 * host.
 */
function isOfEndedSession(error: unknown, { sentAs }: Credential): boolean {
  return sentAs === 'cookie' && error instanceof RuntimeError && error.refused !== undefined;
}

const TRUSTED_MS = 500;

/** During a slow body, a key may be revoked or a user demoted. */
export function authenticateAgain(services: Services, accepted: AcceptedCredentials): RequestHandler {
  return async (request, response, next) => {
    if (performance.now() - response.locals.authenticatedAt > TRUSTED_MS) {
      const credential = credentialOf(request, accepted);
      response.locals.caller = await resolveCaller(credential, services, () => accepted.audienceOf(request));
    }
    next();
  };
}

interface Credential {
  text: string;
  sentAs: 'x-api-key' | 'bearer' | 'cookie';
}

function resolveCaller(
  { text, sentAs }: Credential,
  { keyAuthenticator, sessions, tokenAuthenticator }: Services,
  audienceOf: () => string | null,
): Promise<Caller> {
  if (sentAs === 'cookie') return sessions.authenticate(text);
  if (!isToken(text) && !isAccessToken(text)) return keyAuthenticator.authenticate(text);
  if (sentAs === 'x-api-key') {
    throw new RuntimeError(
      'unauthenticated',
      'x-api-key takes API keys. Send tokens as "Authorization: Bearer <token>".',
    );
  }
  return isToken(text) ? sessions.authenticate(text) : tokenAuthenticator.authenticate(text, audienceOf());
}

/** A header takes precedence over the cookie, which browsers send automatically. */
function credentialOf(request: Request, { cookiePlaceOf }: AcceptedCredentials): Credential {
  const sent = headerCredential(request);
  if (sent) return sent;
  const token = cookiePlaceOf ? sessionTokenOf(request.method, (name) => request.get(name)) : undefined;
  if (token !== undefined) return { text: token, sentAs: 'cookie' };
  throw new RuntimeError(
    'unauthenticated',
    'An API key is needed, as x-api-key or as a bearer token; portal users send the token of their login.',
  );
}

/**
 * A proxy may add another scheme beside `x-api-key`. A malformed Bearer header never gives way to a
 * key.
 */
function headerCredential({ headers, rawHeaders }: IncomingMessage): Credential | undefined {
  const apiKey = headers['x-api-key'] || undefined;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const isOurs = /^Bearer\b/i.test(headers.authorization ?? '');
  // Node.js keeps the first of several.
  if (rawHeaders.filter((text, index) => index % 2 === 0 && /^authorization$/i.test(text)).length > 1) {
    throw new RuntimeError('unauthenticated', 'The Authorization header is sent more than once. Send it once.');
  }
  if ((apiKey === undefined || isOurs) && headers.authorization !== undefined && bearer === undefined) {
    throw new RuntimeError('unauthenticated', 'The Authorization header is not of the form "Bearer <API key>".');
  }
  if (typeof apiKey === 'string' && bearer !== undefined && apiKey !== bearer) {
    throw new RuntimeError('unauthenticated', 'x-api-key and Authorization carry different keys. Send one of them.');
  }
  if (typeof apiKey === 'string') return { text: apiKey, sentAs: 'x-api-key' };
  if (bearer !== undefined) return { text: bearer, sentAs: 'bearer' };
  return undefined;
}
