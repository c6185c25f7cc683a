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

/** CORS. Pages of other origins send credentials as headers, never as cookies. */
export function allowOrigins(origins: readonly string[], routes: readonly Route[]): RequestHandler {
  const exposedHeaders = [...new Set([...READ, ...headersOf(routes)])].join(',');
  return (request, response, next) => {
    // For every origin, so that caches keep the responses apart.
    response.vary('Origin');
    const { origin = '', 'access-control-request-method': requestedMethod } = request.headers;
    if (!origins.includes(origin)) return next();
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': exposedHeaders });
    // Other OPTIONS requests get 405.
    if (request.method !== 'OPTIONS' || requestedMethod === undefined) return next();
    response.set({
      'Access-Control-Allow-Methods': METHODS.join(','),
      'Access-Control-Allow-Headers': [...SENT, ...mcpHeadersOf(request)].join(','),
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
      // Some versions of Safari wait for a body otherwise.
      'Content-Length': 0,
    });
    response.status(204).end();
  };
}

/** MCP names request headers after tool arguments. */
function mcpHeadersOf(request: Request): string[] {
  const requested = String(request.headers['access-control-request-headers'] ?? '').toLowerCase();
  return requested
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^mcp-[a-z0-9-]{1,100}$/.test(name));
}

function headersOf(routes: readonly Route[]): string[] {
  return routes.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ headers = {} }) => Object.keys(headers)),
  );
}
