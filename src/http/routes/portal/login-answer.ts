import type { LoginClient } from '../../../core/access/auth/admission.ts';
import type { OpenedSession } from '../../../core/access/auth/logins.ts';
import type { Login } from '../../../core/access/auth/schema.ts';
import { TOKEN_SECONDS } from '../../../core/access/auth/tokens.ts';
import type { Site } from '../../../core/access/second-factor/passkeys.ts';
import type { RouteAnswer, RouteContext } from '../../route.ts';
import { cookiesIn, DEVICE_COOKIE, LOGIN_PATH, openedSession, rememberedDevice } from '../../session-cookie.ts';

export const LOGIN = `/${LOGIN_PATH}`;

export const NO_OWN_PAGE = 'The request asks for a cookie, but does not come from a page of this server.';

type LoginContext = Pick<
  RouteContext<unknown, unknown, unknown, unknown>,
  'address' | 'header' | 'secure' | 'basePath' | 'signal'
>;

export function siteOf({ header, secure }: Pick<LoginContext, 'header' | 'secure'>): Site {
  return { host: header('host'), secure };
}

export function clientOf(context: LoginContext): LoginClient {
  const { address, header, signal } = context;
  const [device] = cookiesIn(header('cookie'), DEVICE_COOKIE);
  return { address, device, userAgent: header('user-agent'), site: siteOf(context), signal };
}

/** Sets the device cookie, and if `session` is `cookie`, the session cookie, too. */
export function loggedIn(
  { device, ...opened }: OpenedSession,
  session: Login['session'],
  { basePath, secure }: LoginContext,
): RouteAnswer {
  const known = rememberedDevice(device, { basePath, secure });
  const cookies = session === 'cookie' ? [openedSession(opened.token, TOKEN_SECONDS, { basePath, secure })] : [];
  return { body: opened, headers: { 'set-cookie': [known, ...cookies] } };
}

export const PORTAL = '/api/v1/portal';
export const MAX_PORTAL_BYTES = 16 * 1024;
