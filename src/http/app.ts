import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import helmet from 'helmet';
import type { Services } from '../core/services.ts';
import { realEffects } from '../core/shared/effects.ts';
import type { IsTrustedProxy } from '../core/shared/trusted-proxies.ts';
import { type Log, withoutSecrets } from '../logging/log.ts';
import { runInRequestContext } from '../logging/request-context.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Labels } from '../metrics/recorders.ts';
import { addressOf } from './address.ts';
import { allowOrigins } from './cors.ts';
import { limitBodyTime } from './deadline.ts';
import { openApiDocument } from './docs/openapi.ts';
import { docsPage } from './docs/page.ts';
import { errorHandler, HttpError } from './errors.ts';
import { checkHost, hostnamesOf } from './hosts.ts';
import { methodNotAllowed, mountRoutes } from './pipeline.ts';
import { warnOfUntrustedProxy } from './proxies.ts';
import { recordRefusals } from './refusals.ts';
import type { Route } from './route.ts';
import { chatRoutes } from './routes/chat.ts';
import { connectorRoutes } from './routes/connectors.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { eventRoutes } from './routes/events.ts';
import { executionRoutes } from './routes/executions.ts';
import { healthRoutes } from './routes/health.ts';
import { knowledgeRoutes } from './routes/knowledge.ts';
import { portalRoutes } from './routes/portal/index.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { usageRoutes } from './routes/usage.ts';
import { userRoutes } from './routes/users.ts';

export const routes: Route[] = [
  ...eventRoutes,
  ...chatRoutes,
  ...executionRoutes,
  ...knowledgeRoutes,
  ...reviewRoutes,
  ...dashboardRoutes,
  ...userRoutes,
  ...connectorRoutes,
  ...usageRoutes,
  ...portalRoutes,
  ...healthRoutes,
];

export interface AppParts {
  services: Services;
  /** Aborted when the server is stopped, before connections are closed on those who still wait. */
  stopping: AbortSignal;
  log: Log;
  metrics: Metrics;
  /** Whose `X-Forwarded-*` headers are believed. */
  isTrustedProxy: IsTrustedProxy;
  /** Whether there should be a proxy in front. */
  expectsProxy: boolean;
  /** Names that requests may give as Host, besides loopback names and IP addresses. */
  allowedHosts: readonly string[];
  /** Of web pages that may call the API. */
  allowedOrigins: readonly string[];
  /** What answers at /metrics, guards included. */
  exposition: RequestHandler[];
  /** What answers at /mcp, guards included. */
  mcp: (RequestHandler | ErrorRequestHandler)[];
}

/** The whole HTTP surface. It does not listen. */
export function createApp(parts: AppParts): Express {
  const { services, stopping, log, metrics, isTrustedProxy, allowedOrigins, exposition, mcp } = parts;
  // Made when someone first looks: an idle server need not hold them.
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // Express walks X-Forwarded-For from the right, past the trusted proxies.
  app.set('trust proxy', isTrustedProxy);
  app.use(limitBodyTime());
  app.use(logRequests(log, metrics));
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: { 'style-src': ["'self'", "'unsafe-inline'"], 'upgrade-insecure-requests': null },
      },
    }),
  );
  if (parts.expectsProxy) app.use(warnOfUntrustedProxy(isTrustedProxy, log));
  app.use(checkHost(hostnamesOf(parts.allowedHosts)));
  if (allowedOrigins.length > 0) app.use(allowOrigins(allowedOrigins, routes));
  mountRoutes(app, routes, services, stopping);
  app.all('/mcp', ...mcp);
  app.get('/metrics', ...exposition);
  app.get('/openapi.json', (_request, response) => {
    document ??= openApiDocument(routes);
    response.json(document);
  });
  app.get('/docs', (_request, response) => {
    page ??= docsPage(openApiDocument(routes));
    response.type('html').send(page);
  });
  app.get('/', (_request, response) => response.redirect('/docs'));
  for (const path of ['/', '/metrics', '/openapi.json', '/docs']) app.all(path, methodNotAllowed(['GET']));
  app.use((request) => {
    throw new HttpError(404, `There is nothing at ${request.method} ${request.path}. See /docs.`);
  });
  app.use(recordRefusals(services.audit));
  app.use(errorHandler(log));
  return app;
}

const { newId } = realEffects;

/** Asked every few seconds by who watches. */
const QUIET = new Set(['/healthz', '/metrics']);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Gives every request its id, and every finished one a log line that carries it and its place in the metrics. */
function logRequests(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id') ?? '';
    // The audit log keeps it: an id that holds a key is not taken over.
    const requestId = /^[\w.:-]{1,100}$/.test(given) && withoutSecrets(given) === given ? given : newId();
    response.setHeader('x-request-id', requestId);
    const address = addressOf(request);
    const started = performance.now();
    response.once('close', () => {
      const { caller } = response.locals;
      const ms = performance.now() - started;
      metrics.requests.observe(ms / 1_000, labelsOf(request, response));
      log[QUIET.has(request.path) ? 'debug' : 'info'](
        {
          requestId,
          method: request.method,
          path: request.path,
          status: response.statusCode,
          ms: Math.round(ms * 10) / 10,
          address,
          ...(caller ? { tenantId: caller.tenantId, [`${caller.credential.kind}Id`]: caller.credential.id } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    runInRequestContext(requestId, next, address);
  };
}

/** Few values only: the pattern of the route, never the path that was asked for. */
function labelsOf(request: Request, response: Response): Labels {
  const route: unknown = request.route?.path;
  return {
    method: METHODS.has(request.method) ? request.method : 'other',
    route: typeof route === 'string' ? route : 'unmatched',
    status: String(response.statusCode),
  };
}
