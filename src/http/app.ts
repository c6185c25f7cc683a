import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import type { MemoryGuard } from '../core/base/concurrency/memory-guard.ts';
import type { IsTrustedProxy } from '../core/base/network/addresses.ts';
import type { Services } from '../core/services.ts';
import type { Log } from '../logging/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { PortalFiles } from '../portal/files.ts';
import { checkHost, hostnamesOf, warnOfUntrustedProxy } from './address.ts';
import { allowOrigins } from './cors.ts';
import { limitBodyTime } from './deadline.ts';
import { mountDocs } from './docs/mount.ts';
import { errorHandler, HttpError, recordRefusals } from './errors.ts';
import { mountServerCard } from './mcp/server-card.ts';
import { mountResourceMetadata, nameResourceMetadata } from './oauth/metadata.ts';
import { mountOAuth, type OAuthParts } from './oauth/mount.ts';
import { methodNotAllowed, mountRoutes, type Shutdown } from './pipeline.ts';
import { mountPortal } from './portal.ts';
import { logRequests } from './request-log.ts';
import type { Route } from './route.ts';
import { alertRoutes } from './routes/alerts.ts';
import { annotationRoutes } from './routes/annotations.ts';
import { assessmentRoutes } from './routes/assessments.ts';
import { chatRoutes } from './routes/chat.ts';
import { connectorRoutes } from './routes/connectors.ts';
import { dashboardChangeRoutes } from './routes/dashboard-changes.ts';
import { dashboardLinkRoutes } from './routes/dashboard-links.ts';
import { dashboardRoutes } from './routes/dashboards.ts';
import { deliveryRoutes } from './routes/deliveries.ts';
import { digestRoutes } from './routes/digests.ts';
import { eventRoutes, explainRoutes } from './routes/events.ts';
import { executionRoutes } from './routes/executions.ts';
import { knowledgeRoutes } from './routes/knowledge.ts';
import { metricRoutes } from './routes/metrics.ts';
import { healthRoutes, usageRoutes } from './routes/operation.ts';
import { portalRoutes } from './routes/portal/index.ts';
import { queueRoutes } from './routes/queues.ts';
import { reviewRoutes } from './routes/reviews.ts';
import { rubricRoutes } from './routes/rubrics.ts';
import { segmentRoutes } from './routes/segments.ts';
import { sharedRoutes } from './routes/shared.ts';
import { termRoutes } from './routes/terms.ts';
import { userRoutes } from './routes/users.ts';
import { mountSharedPage } from './shared-page.ts';
import { mountSingleSignOn } from './sso.ts';

export const routes: Route[] = [
  ...eventRoutes,
  ...chatRoutes,
  ...executionRoutes,
  ...knowledgeRoutes,
  ...reviewRoutes,
  ...rubricRoutes,
  ...assessmentRoutes,
  ...queueRoutes,
  ...dashboardRoutes,
  ...dashboardChangeRoutes,
  ...dashboardLinkRoutes,
  ...sharedRoutes,
  ...metricRoutes,
  ...termRoutes,
  ...explainRoutes,
  ...annotationRoutes,
  ...alertRoutes,
  ...digestRoutes,
  ...deliveryRoutes,
  ...segmentRoutes,
  ...userRoutes,
  ...connectorRoutes,
  ...usageRoutes,
  ...portalRoutes,
  ...healthRoutes,
];

interface AppParts {
  services: Services;
  /** Default: never. */
  shutdown: Shutdown | undefined;
  log: Log;
  metrics: Metrics;
  /** Decides which peers' `X-Forwarded-*` headers count. */
  isTrustedProxy: IsTrustedProxy;
  expectsProxy: boolean;
  /** Allowed values of Host, besides loopback names and IP addresses. */
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  exposition: RequestHandler[];
  portalFiles: PortalFiles;
  publicUrl: string | undefined;
  oauth: OAuthParts;
  /** The path of the public address, with a slash at its end. */
  basePath: string;
  mcp: (RequestHandler | ErrorRequestHandler)[];
  /** The share of bodies, and what refuses them while the process holds too much. */
  memory: { share: number; guard: MemoryGuard };
}

export function createApp(parts: AppParts): Express {
  const { services, shutdown, log, metrics, isTrustedProxy, allowedOrigins, exposition, mcp } = parts;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  // Express reads X-Forwarded-For from the right, past the trusted proxies.
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
  mountServerCard(app, parts.publicUrl);
  mountResourceMetadata(app, parts.oauth.baseOf);
  if (allowedOrigins.length > 0) app.use(allowOrigins(allowedOrigins, routes));
  app.use(['/api', '/mcp'], nameResourceMetadata(parts.oauth.baseOf));
  mountRoutes(app, routes, {
    services,
    shutdown,
    basePath: parts.basePath,
    baseOf: parts.oauth.baseOf,
    publicUrl: parts.publicUrl,
    memory: parts.memory,
  });
  mountSingleSignOn(app, parts);
  app.route('/mcp').all(...mcp);
  mountOAuth(app, parts.oauth);
  mountDocs(app, routes, parts.portalFiles, parts.basePath);
  mountSharedPage(app, { services, files: parts.portalFiles, basePath: parts.basePath });
  mountPortal(app, parts.portalFiles, parts.basePath);
  // After the portal, which has a page at this path for browsers.
  app.get('/metrics', ...exposition);
  for (const path of ['/', '/metrics', '/openapi.json', '/docs', '/docs/plain'])
    app.route(path).all(methodNotAllowed(['GET']));
  app.use((request) => {
    throw new HttpError(404, `There is nothing at ${request.method} ${request.path}. See /docs.`);
  });
  app.use(recordRefusals(services.audit));
  app.use(errorHandler(log));
  return app;
}
