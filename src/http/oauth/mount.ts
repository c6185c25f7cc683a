import type { Express, RequestHandler, Response } from 'express';
import { RuntimeError } from '../../core/base/shared/errors.ts';
import { type Buckets, type Rate, type SharedRates, sharesOf } from '../../core/limits/rates/buckets.ts';
import { addressOf } from '../address.ts';
import { methodNotAllowed } from '../pipeline.ts';
import { cookiesIn } from '../session-cookie.ts';
import { type OAuthBaseOf, RESUME_COOKIE } from './address.ts';
import { errorPage } from './error-page.ts';
import { baseFor } from './metadata.ts';
import type { AuthorizationServers } from './servers.ts';

interface MountLimits extends SharedRates {
  /** Enough for everybody behind one proxy, too few to fill the disk. */
  address: Rate;
}

const REGISTRATIONS: MountLimits = {
  address: { perMinute: 1, burst: 30 },
  all: { perMinute: 60, burst: 600 },
  quiet: { perMinute: 0.05, burst: 5 },
};
const REQUESTS: MountLimits = {
  address: { perMinute: 60, burst: 120 },
  all: { perMinute: 600, burst: 1_200 },
  quiet: { perMinute: 1, burst: 10 },
};
const TOKENS: MountLimits = {
  address: { perMinute: 600, burst: 600 },
  all: { perMinute: 6_000, burst: 6_000 },
  quiet: { perMinute: 10, burst: 30 },
};

/** Characters; a pending request is stored. */
const MAX_REQUEST = 4_000;

const DISCOVERY = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration'];

export interface OAuthParts {
  servers: AuthorizationServers;
  baseOf: OAuthBaseOf;
  /** False if the operator turned rate limits off. */
  isLimited: boolean;
  buckets: Buckets;
}

/** The endpoints of the authorization server, and its metadata (RFC 8414). */
export function mountOAuth(app: Express, { servers, baseOf, isLimited, buckets }: OAuthParts): void {
  const limit =
    (name: string, limits: MountLimits): RequestHandler =>
    (request, response, next) => {
      if (!isLimited) return next();
      const address = addressOf(request);
      const lacking = buckets.takeEach([{ name: `${name} ${address}`, rate: limits.address }]);
      if (lacking) throw tooMany(lacking.retryAfter);
      const shares = sharesOf(name, address, limits);
      const share = shares.find((each) => each.every((one) => buckets.tokens(one.name, one.rate) >= 1));
      if (!share) throw tooMany(Math.ceil(60 / limits.all.perMinute));
      // A refused request stores nothing, so it must not cost others theirs.
      response.once('finish', () => {
        if (response.statusCode < 400) buckets.takeEach(share);
      });
      next();
    };
  const handle: RequestHandler = async (request, response) => {
    const server = await servers.at(baseFor(request, baseOf));
    await server.handle(request, response);
  };
  for (const path of DISCOVERY) {
    // A proxy may pass on the path of the public address behind it (RFC 8414).
    app.route(`${path}{/*base}`).all((request, response, next) => {
      request.url = path;
      return handle(request, response, next);
    });
  }
  app.post('/oauth/register', limit('registration', REGISTRATIONS), handle);
  app.get('/oauth/authorize', limit('request', REQUESTS), refuseLong, handle);
  app.get('/oauth/authorize/:id', requireSameBrowser, handle);
  app.post(['/oauth/token', '/oauth/revoke', '/oauth/introspect'], limit('token', TOKENS), handle);
  app.get('/oauth/jwks', handle);
  const posts = ['/oauth/register', '/oauth/token', '/oauth/revoke', '/oauth/introspect'];
  app.options([...posts, '/oauth/jwks'], handle);
  app.route(posts).all(methodNotAllowed(['POST']));
  app.route(['/oauth/authorize', '/oauth/authorize/:id', '/oauth/jwks']).all(methodNotAllowed(['GET']));
}

const refuseLong: RequestHandler = (request, response, next) => {
  if (request.url.length <= MAX_REQUEST) return next();
  sendError(response, 400, `it has more than ${MAX_REQUEST} characters.`);
};

/**
 * The library goes on with the request of its cookie, whatever the address says: they must be the
 * same.
 */
const requireSameBrowser: RequestHandler = (request, response, next) => {
  const begun = cookiesIn(request.get('cookie'), RESUME_COOKIE);
  if (begun.length === 1 && begun[0] === request.params.id) return next();
  sendError(response, 403, 'it was begun in another browser, or is over.');
};

function sendError(response: Response, status: number, reason: string): void {
  response.status(status).set(errorPage.headers).type('html').send(errorPage.html(reason));
}

function tooMany(retryAfter: number): RuntimeError {
  return new RuntimeError('rate_limited', 'Too many requests of this kind come from this address. Try again later.', {
    retryAfter,
  });
}
