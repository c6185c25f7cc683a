import type { Express, Request, RequestHandler } from 'express';
import { DEFAULT_SCOPES } from '../../core/access/oauth/schema.ts';
import { SCOPES } from '../../core/base/shared/caller.ts';
import { ABOUT } from '../../core/base/shared/program.ts';
import { type ChallengeOf, HttpError } from '../errors.ts';
import { methodNotAllowed } from '../pipeline.ts';
import { type OAuthBase, type OAuthBaseOf, type ResourceName, resourceAt } from './address.ts';

/*
 * Protected resource metadata (RFC 9728): which authorization server issues tokens for an address.
 */

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

const HEADERS = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };

/**
 * Public, so before `allowOrigins`. Clients try the address with the path of the resource first,
 * then the bare one.
 */
export function mountResourceMetadata(app: Express, baseOf: OAuthBaseOf): void {
  const send =
    (name: ResourceName): RequestHandler =>
    (request, response) => {
      response.set(HEADERS).json(resourceMetadata(baseFor(request, baseOf), name));
    };
  // A proxy may pass on the path of the public address, which stands before that of the resource.
  app.get([WELL_KNOWN, `${WELL_KNOWN}{/*base}/mcp`], send('mcp'));
  app.get(`${WELL_KNOWN}{/*base}/api`, send('api'));
  const all = [WELL_KNOWN, `${WELL_KNOWN}/*rest`];
  app.options(all, (_request, response) => {
    response
      .set({ ...HEADERS, 'access-control-allow-methods': 'GET', 'access-control-allow-headers': '*' })
      .status(204)
      .end();
  });
  app.route(all).all(methodNotAllowed(['GET']));
}

/** Throws 404 where OAuth is off. */
export function baseFor(request: Request, baseOf: OAuthBaseOf): OAuthBase {
  const base = baseOf(request);
  if (base !== null) return base;
  throw new HttpError(
    404,
    'OAuth is off here: it needs https or a loopback address. Set AGENT_RUNTIME_PUBLIC_URL to the https address of this server, or use an API key.',
  );
}

/** For errors: clients that know no credential learn there how to get one. */
export function nameResourceMetadata(baseOf: OAuthBaseOf): RequestHandler {
  return (request, response, next) => {
    const name = request.baseUrl === '/mcp' ? 'mcp' : 'api';
    const challenge: ChallengeOf = () => {
      const base = baseOf(request);
      if (base === null) return null;
      const scope = name === 'mcp' ? DEFAULT_SCOPES.join(' ') : undefined;
      return { metadata: metadataAddress(base, name), scope };
    };
    response.locals.oauth = challenge;
    next();
  };
}

function resourceMetadata(base: OAuthBase, name: ResourceName) {
  return {
    resource: resourceAt(base, name),
    resource_name: ABOUT.title,
    authorization_servers: [base],
    bearer_methods_supported: ['header'],
    scopes_supported: name === 'mcp' ? [...DEFAULT_SCOPES] : [...SCOPES],
    resource_documentation: `${base}/docs`,
  };
}

/**
 * For WWW-Authenticate. Below the public address, since a proxy may not pass on the form at the
 * root of its host.
 */
function metadataAddress(base: OAuthBase, name: ResourceName): string {
  return `${base}${WELL_KNOWN}${name === 'mcp' ? '/mcp' : '/api'}`;
}
