import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import type { Route } from './route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];
const SENT = [
  'content-type',
  'x-api-key',
  'authorization',
  'idempotency-key',
  'x-request-id',
  'x-wait-for',
  'last-event-id',
];
const READ = ['x-request-id', 'retry-after', 'www-authenticate', 'mcp-session-id', 'mcp-protocol-version'];
const MAX_AGE_SECONDS = 3_600;

/**
 * Lets pages of these origins, and of no others, call the API and read its answers. Credentials are in headers that a page sets
 * itself, so cookies stay out of it. A preflight carries none and is answered without.
 */
export function allowOrigins(origins: readonly string[], routes: readonly Route[]): RequestHandler {
  const exposedHeaders = [...new Set([...READ, ...headersOf(routes)])];
  const handler = cors<Request>((request, callback) =>
    callback(null, {
      origin: origins.includes(request.headers.origin ?? '') && request.headers.origin,
      methods: METHODS,
      allowedHeaders: [...SENT, ...mcpHeadersOf(request)],
      exposedHeaders,
      maxAge: MAX_AGE_SECONDS,
      // Any other OPTIONS is a method like the others, and refused like them.
      preflightContinue: request.headers['access-control-request-method'] === undefined,
    }),
  );
  return (request, response, next) => {
    // Also where it is not allowed: a cache must not give the one's answer to the other.
    response.vary('Origin');
    handler(request, response, next);
  };
}

/** The protocol names headers by the tools that are called. */
function mcpHeadersOf(request: Request): string[] {
  const asked = String(request.headers['access-control-request-headers'] ?? '').toLowerCase();
  return asked
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-[a-z0-9-]{1,100}$/.test(name));
}

function headersOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
}
