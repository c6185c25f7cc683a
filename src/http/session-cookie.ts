import { DEVICE_COOKIE_SECONDS } from '../core/access/auth/device-cookies.ts';
import { forbidden, RuntimeError } from '../core/base/shared/errors.ts';

/** The token of a session, for pages of this server: scripts cannot read it. */
const SESSION_COOKIE = 'ar_session';
/**
 * Its name over https with the path `/`: browsers take it from this host alone, and over https
 * alone.
 */
const HOST_SESSION_COOKIE = `__Host-${SESSION_COOKIE}`;

/** Marks the browser as known to its users. Sent to logins alone. */
export const DEVICE_COOKIE = 'ar_device';
export const LOGIN_PATH = 'api/v1/portal/login';

const READS = new Set(['GET', 'HEAD']);
const SAFE_TYPES = /^(application\/json|application\/x-ndjson|multipart\/form-data)\b/i;

type HeaderOf = (name: string) => string | undefined;

export interface CookiePlace {
  /** The path of the public address, with a slash at its end. */
  basePath: string;
  /** See `isSecure`. */
  secure: boolean;
}

export function openedSession(token: string, maxAgeSeconds: number, { basePath, secure }: CookiePlace): string {
  return setCookie(nameAt({ basePath, secure }), token, { path: basePath, maxAgeSeconds, secure });
}

/** Deletes the cookie under each of its names. */
export function endedSession({ basePath, secure }: CookiePlace): string[] {
  const names = new Set([nameAt({ basePath, secure }), SESSION_COOKIE]);
  return [...names].map((name) => setCookie(name, '', { path: basePath, maxAgeSeconds: 0, secure }));
}

function nameAt({ basePath, secure }: CookiePlace): string {
  return secure && basePath === '/' ? HOST_SESSION_COOKIE : SESSION_COOKIE;
}

export function rememberedDevice(device: string, { basePath, secure }: CookiePlace): string {
  const path = basePath + LOGIN_PATH;
  return setCookie(DEVICE_COOKIE, device, { path, maxAgeSeconds: DEVICE_COOKIE_SECONDS, secure });
}

/**
 * Undefined without the cookie. Throws `forbidden` unless a page of this server sends the request.
 */
export function sessionTokenOf(method: string, header: HeaderOf): string | undefined {
  const valuesOf = (name: string) => cookiesIn(header('cookie'), name).filter((value) => value !== '');
  const ofHost = valuesOf(HOST_SESSION_COOKIE);
  // Without it, a session that was opened over http or by an earlier version.
  const [token, ...others] = ofHost.length > 0 ? ofHost : valuesOf(SESSION_COOKIE);
  if (token === undefined) return undefined;
  requireOwnPage(method, header);
  // Another path of this host, or another host of its domain, may have set one of them.
  if (others.length > 0) {
    throw new RuntimeError(
      'unauthenticated',
      `The browser sends several cookies ${SESSION_COOKIE}, so all are refused. Delete the cookies of this site and log in again.`,
    );
  }
  return token;
}

/**
 * CSRF protection by fetch metadata and by a header that other origins cannot send without a
 * preflight.
 */
export function requireOwnPage(method: string, header: HeaderOf): void {
  const site = header('sec-fetch-site');
  const isRead = READS.has(method);
  if (site === undefined) {
    throw forgery(
      'the browser sent no Sec-Fetch-Site. Browsers since 2023 send it over https and to localhost; elsewhere, send the token as "Authorization: Bearer <token>"',
    );
  }
  if (site !== 'same-origin' && !(site === 'none' && isRead)) {
    throw forgery(`the request does not come from a page of this server (Sec-Fetch-Site: ${site})`);
  }
  if (isRead) return;
  if (header('x-requested-with') !== 'portal') throw forgery('the header "x-requested-with: portal" is missing');
  const type = header('content-type');
  if (type !== undefined && !SAFE_TYPES.test(type)) {
    throw forgery('a body must be JSON, NDJSON or multipart/form-data');
  }
}

function forgery(reason: string): RuntimeError {
  return forbidden(`The session cookie is refused: ${reason}.`);
}

interface CookieOptions {
  path: string;
  maxAgeSeconds: number;
  /** Browsers reject a Secure cookie from http. */
  secure: boolean;
  /** `Lax`: also sent when another site leads here. Default: `Strict`. */
  sameSite?: 'Strict' | 'Lax';
}

/** All values of the cookie: browsers send several if it was set for several paths. */
export function cookiesIn(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

/** HttpOnly. The value must need no escaping. */
export function setCookie(
  name: string,
  value: string,
  { path, maxAgeSeconds, secure, sameSite = 'Strict' }: CookieOptions,
): string {
  const attributes = [`Path=${path}`, `Max-Age=${maxAgeSeconds}`, 'HttpOnly', `SameSite=${sameSite}`];
  return [`${name}=${value}`, ...attributes, ...(secure ? ['Secure'] : [])].join('; ');
}
