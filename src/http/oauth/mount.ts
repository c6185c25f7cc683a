import type { Express, Request, RequestHandler } from 'express';
import { type Rate, TokenBuckets } from '../../core/auth/token-buckets.ts';
import { RuntimeError } from '../../core/shared/errors.ts';
import { addressOf } from '../address.ts';
import { methodNotAllowed } from '../pipeline.ts';
import type { OAuthBaseOf } from './address.ts';
import { errorPage } from './error-page.ts';
import { baseFor } from './metadata.ts';
import type { AuthorizationServers } from './servers.ts';

/** Of one address: enough for everybody behind one proxy, too few to fill the disk within a day. */
const REGISTRATIONS: Rate = { perMinute: 1, burst: 30 };
const REQUESTS: Rate = { perMinute: 60, burst: 120 };
const ALL_REGISTRATIONS: Rate = { perMinute: 10, burst: 300 };

const DISCOVERY = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

export interface OAuthParts {
  servers: AuthorizationServers;
  baseOf: OAuthBaseOf;
  /** False: the operator turned rate limits off. */
  isLimited: boolean;
  now: () => number;
}

/** The endpoints of the authorization server, and its metadata (RFC 8414). */
export function mountOAuth(app: Express, { servers, baseOf, isLimited, now }: OAuthParts): void {
  const buckets = new TokenBuckets(now);
  const limit =
    (name: string, ofAddress: Rate, ofAll?: Rate): RequestHandler =>
    (request, _response, next) => {
      const limits: [string, Rate][] = [[`${name} ${addressOf(request)}`, ofAddress]];
      if (ofAll) limits.push([name, ofAll]);
      if (!isLimited) return next();
      for (const [bucket, rate] of limits) {
        const retryAfter = buckets.wait(bucket, rate);
        if (retryAfter > 0) throw tooMany(retryAfter);
      }
      for (const [bucket, rate] of limits) buckets.take(bucket, rate);
      next();
    };
  const handle: RequestHandler = async (request, response) => {
    const server = await servers.at(baseFor(request, baseOf));
    await server.handle(request, response);
  };
  // The forms for an address with a path: a proxy may pass it on (RFC 8414), or it stands before (OpenID Connect).
  const discovery = DISCOVERY.map((path) => `${path}{/*base}`);
  app.all(discovery, (request, response, next) => {
    request.url = DISCOVERY.find((path) => request.path.startsWith(path))!;
    return handle(request, response, next);
  });
  app.post('/oauth/register', limit('registration', REGISTRATIONS, ALL_REGISTRATIONS), handle);
  app.get('/oauth/authorize', limit('request', REQUESTS), handle);
  app.get('/oauth/authorize/:id', requireSameBrowser(servers, baseOf), handle);
  app.post(
    ['/oauth/token', '/oauth/revoke', '/oauth/introspect'],
    limit('token', { perMinute: 600, burst: 600 }),
    handle,
  );
  app.get('/oauth/jwks', handle);
  const posts = ['/oauth/register', '/oauth/token', '/oauth/revoke', '/oauth/introspect'];
  app.options([...posts, '/oauth/jwks'], handle);
  app.all(posts, methodNotAllowed(['POST']));
  app.all(['/oauth/authorize', '/oauth/authorize/:id', '/oauth/jwks'], methodNotAllowed(['GET']));
}

function requireSameBrowser(servers: AuthorizationServers, baseOf: OAuthBaseOf): RequestHandler {
  return async (request: Request, response, next) => {
    const server = await servers.at(baseFor(request, baseOf));
    if (await server.mayContinue(String(request.params.id), request.get('cookie'))) return next();
    const reason = 'it was allowed in another browser than it was begun in.';
    response.status(403).set(errorPage.headers).type('html').send(errorPage.html(reason));
  };
}

function tooMany(retryAfter: number): RuntimeError {
  return new RuntimeError('rate_limited', 'Too many requests of this kind come from this address. Try again later.', {
    retryAfter,
  });
}
