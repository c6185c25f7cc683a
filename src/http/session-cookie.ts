import type { Request } from 'express';
import { RuntimeError } from '../core/shared/errors.ts';
import { cookiesIn, setCookie } from './cookies.ts';

/** The token of a session, for pages of this server: scripts cannot read it. */
const SESSION_COOKIE = 'ar_session';

const READS = new Set(['GET', 'HEAD']);
const SAFE_TYPES = /^(application\/json|application\/x-ndjson|multipart\/form-data)\b/i;

interface CookiePlace {
  /** The path that the server lies below, with a slash at its end. */
  basePath: string;
  secure: boolean;
}

export function openedSession(token: string, maxAgeSeconds: number, { basePath, secure }: CookiePlace): string {
  return setCookie(SESSION_COOKIE, token, { path: basePath, maxAgeSeconds, secure });
}

export function endedSession({ basePath, secure }: CookiePlace): string {
  return setCookie(SESSION_COOKIE, '', { path: basePath, maxAgeSeconds: 0, secure });
}

/**
 * The token of the request's cookie. Throws `forbidden` for a request that a page of another site may have made: browsers
 * send cookies with those as well.
 */
export function sessionTokenOf(request: Request): string | undefined {
  const [token, ...others] = cookiesIn(request.headers.cookie, SESSION_COOKIE).filter((value) => value !== '');
  // Of two, one was set by another application of this host.
  if (token === undefined || others.length > 0) return undefined;
  const site = request.headers['sec-fetch-site'];
  const isRead = READS.has(request.method);
  if (site !== 'same-origin' && !(site === 'none' && isRead)) {
    throw new RuntimeError(
      'forbidden',
      'The session cookie counts only for requests of pages of this server, which browsers mark with "Sec-Fetch-Site: same-origin". Send the token as "Authorization: Bearer <token>".',
    );
  }
  const type = request.headers['content-type'];
  if (!isRead && request.headers['x-requested-with'] !== 'portal') {
    throw new RuntimeError(
      'forbidden',
      'With the session cookie, a request that writes needs "x-requested-with: portal".',
    );
  }
  if (!isRead && type !== undefined && !SAFE_TYPES.test(type)) {
    throw new RuntimeError('forbidden', 'With the session cookie, a body must be JSON, NDJSON or multipart/form-data.');
  }
  return token;
}
