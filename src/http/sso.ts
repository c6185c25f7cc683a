import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import type { LoginClient } from '../core/access/auth/admission.ts';
import { TOKEN_SECONDS } from '../core/access/auth/tokens.ts';
import { PENDING_SECONDS } from '../core/access/sso/pending.ts';
import type { ProviderPlace } from '../core/access/sso/sign-on.ts';
import { SignOnRefused } from '../core/access/sso/sso-users.ts';
import { RuntimeError } from '../core/base/shared/errors.ts';
import type { Services } from '../core/services.ts';
import { addressOf, baseUrlOf, isSecure } from './address.ts';
import { methodNotAllowed } from './pipeline.ts';
import {
  type CookiePlace,
  cookiesIn,
  DEVICE_COOKIE,
  LOGIN_PATH,
  openedSession,
  rememberedDevice,
  setCookie,
} from './session-cookie.ts';

/*
 * Addresses of single sign-on that browsers are led to, and that providers call. They answer with
 * redirects, so they are no part of the API and its reference.
 */

const BASE = `/${LOGIN_PATH}/sso/:tenant/:id`;
const MAX_LOGOUT_BYTES = 32 * 1024;

/**
 * The pending login, for its callback alone. SameSite=Lax: the answer of a provider comes from
 * another site.
 */
const PENDING_COOKIE = 'ar_sso';

interface SingleSignOnParts {
  services: Services;
  publicUrl: string | undefined;
  /** The path of the public address, with a slash at its end. */
  basePath: string;
}

type PlaceRequest = Request<{ tenant: string; id: string }>;

export function mountSingleSignOn(app: Express, { services, publicUrl, basePath }: SingleSignOnParts): void {
  const { singleSignOn, backchannelLogout } = services;
  const cookiePlaceOf = (request: PlaceRequest) => ({ basePath, secure: isSecure(request, publicUrl) });

  app.get(`${BASE}/start`, async (request: PlaceRequest, response) => {
    const place = placeIn(request);
    const baseUrl = baseUrlOf(request, publicUrl);
    const { to } = request.query;
    try {
      const { location, cookie } = await singleSignOn.start(place, { to, baseUrl, client: clientOf(request) });
      redirect(response, location.href, [pendingCookie(place, cookie, PENDING_SECONDS, cookiePlaceOf(request))]);
    } catch (error) {
      refuse(response, error, basePath);
    }
  });

  app.get(`${BASE}/callback`, async (request: PlaceRequest, response) => {
    const place = placeIn(request);
    const cookiePlace = cookiePlaceOf(request);
    const cookies = cookiesIn(request.get('cookie'), PENDING_COOKIE);
    const parameters = new URL(request.originalUrl, 'http://localhost').searchParams;
    const forgotten = cookies.length > 0 ? [pendingCookie(place, '', 0, cookiePlace)] : [];
    try {
      const opened = await singleSignOn.finish(place, { cookies, parameters, client: clientOf(request) });
      const { token, device, to } = opened;
      redirect(response, basePath + to.slice(1), [
        ...forgotten,
        rememberedDevice(device, cookiePlace),
        openedSession(token, TOKEN_SECONDS, cookiePlace),
      ]);
    } catch (error) {
      // Another site may have led here: that must not end a login that waits.
      const isForeign = error instanceof SignOnRefused && error.refusal === 'expired';
      refuse(response, error, basePath, isForeign ? [] : forgotten);
    }
  });

  app.post(
    `${BASE}/backchannel-logout`,
    express.urlencoded({ extended: false, limit: MAX_LOGOUT_BYTES, parameterLimit: 10 }),
    async (request: PlaceRequest, response: Response) => {
      const { logout_token: token } = (request.body ?? {}) as Record<string, unknown>;
      await backchannelLogout.logout(placeIn(request), typeof token === 'string' ? token : '');
      response.set('cache-control', 'no-store').status(200).end();
    },
    answerProvider,
  );

  app.route([`${BASE}/start`, `${BASE}/callback`]).all(methodNotAllowed(['GET']));
  app.route(`${BASE}/backchannel-logout`).all(methodNotAllowed(['POST']));
}

/** Only of names that exist, since the path of a cookie is made of them. */
function placeIn({ params: { tenant, id } }: PlaceRequest): ProviderPlace {
  const isName = /^[\w-]{1,64}$/.test(tenant) && /^[\w-]{1,64}$/.test(id);
  return isName ? { tenant, id } : { tenant: '-', id: '-' };
}

function clientOf(request: PlaceRequest): LoginClient {
  const [device] = cookiesIn(request.get('cookie'), DEVICE_COOKIE);
  return { address: addressOf(request), device, userAgent: request.get('user-agent') };
}

function pendingCookie(
  { tenant, id }: ProviderPlace,
  value: string,
  maxAgeSeconds: number,
  { basePath, secure }: CookiePlace,
): string {
  const path = `${basePath}${LOGIN_PATH}/sso/${tenant}/${id}/callback`;
  return setCookie(PENDING_COOKIE, value, { path, maxAgeSeconds, secure, sameSite: 'Lax' });
}

/** 303, and no referrer: the address of the callback has the code. */
function redirect(response: Response, location: string, cookies: string[]): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.set({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', location }).status(303).end();
}

/**
 * To the login page, which has a text for each refusal: no text of a request or a provider is
 * shown.
 */
function refuse(response: Response, error: unknown, basePath: string, cookies: string[] = []): void {
  if (!(error instanceof SignOnRefused)) throw error;
  redirect(response, `${basePath}login?refused=${error.refusal}`, cookies);
}

/** In the form of Back-Channel Logout 1.0, 2.8. */
const answerProvider: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof RuntimeError) || error.code !== 'invalid') return next(error);
  const body = { error: 'invalid_request', error_description: error.message };
  response.set('cache-control', 'no-store').status(400).json(body);
};
