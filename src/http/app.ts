import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { v7 as uuid } from 'uuid';
import type { Services } from '../core/services.ts';
import type { Log } from '../log.ts';
import { docsPage } from './docs.ts';
import { errorHandler, HttpError } from './errors.ts';
import { openApiDocument } from './openapi.ts';
import { methodNotAllowed, mountRoutes, type Route } from './route.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { eventRoutes } from './routes/events.ts';
import { healthRoutes } from './routes/health.ts';

export const routes: Route[] = [...eventRoutes, ...dashboardRoutes, ...healthRoutes];

export interface AppParts {
  services: Services;
  log: Log;
  /** What answers at /mcp, guards included. */
  mcp: (RequestHandler | ErrorRequestHandler)[];
}

/** The whole HTTP surface. It does not listen. */
export function createApp({ services, log, mcp }: AppParts): Express {
  // Made when someone first looks: an idle server need not hold them.
  let document: ReturnType<typeof openApiDocument> | undefined;
  let page: string | undefined;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(identify(log));
  app.use(
    helmet({
      contentSecurityPolicy: {
        directives: { 'style-src': ["'self'", "'unsafe-inline'"], 'upgrade-insecure-requests': null },
      },
    }),
  );
  mountRoutes(app, routes, services);
  app.all('/mcp', ...mcp);
  app.get('/openapi.json', (_request, response) => {
    document ??= openApiDocument(routes);
    response.json(document);
  });
  app.get('/docs', (_request, response) => {
    page ??= docsPage(openApiDocument(routes));
    response.type('html').send(page);
  });
  app.get('/', (_request, response) => response.redirect('/docs'));
  for (const path of ['/', '/openapi.json', '/docs']) app.all(path, methodNotAllowed(['GET']));
  app.use((request) => {
    throw new HttpError(404, `There is nothing at ${request.method} ${request.path}. See /docs.`);
  });
  app.use(errorHandler(log));
  return app;
}

/** Gives every request its id, and every finished one a log line that carries it. */
function identify(log: Log): RequestHandler {
  return (request, response, next) => {
    const given = request.get('x-request-id');
    const requestId = given !== undefined && /^[\w.:-]{1,100}$/.test(given) ? given : uuid();
    response.setHeader('x-request-id', requestId);
    const started = performance.now();
    response.once('close', () => {
      const { caller } = response.locals;
      log[request.path === '/healthz' ? 'debug' : 'info'](
        {
          requestId,
          method: request.method,
          path: request.path,
          status: response.statusCode,
          ms: Math.round((performance.now() - started) * 10) / 10,
          ...(caller ? { tenantId: caller.tenantId, keyId: caller.keyId } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    next();
  };
}
