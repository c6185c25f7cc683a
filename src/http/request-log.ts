import type { Request, RequestHandler, Response } from 'express';
import { realEffects } from '../core/base/shared/effects.ts';
import { type Log, withoutSecrets } from '../logging/log.ts';
import { runInRequestContext } from '../logging/request-context.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Labels } from '../metrics/recorders.ts';
import { addressOf } from './address.ts';

/** Polled every few seconds by monitoring. */
const QUIET = new Set(['/healthz', '/metrics']);
/** The status that nginx logs for a client that left before its answer began. */
const CLIENT_LEFT = 499;
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Assigns the correlation id; logs and measures every request at its end. */
export function logRequests(log: Log, metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const sent = request.get('x-request-id') ?? '';
    // The id enters the audit log, so one that contains a secret is replaced.
    const requestId = /^[\w.:-]{1,100}$/.test(sent) && withoutSecrets(sent) === sent ? sent : realEffects.newId();
    response.setHeader('x-request-id', requestId);
    const address = addressOf(request);
    const started = performance.now();
    response.once('close', () => {
      const { caller, traceId } = response.locals;
      const ms = performance.now() - started;
      metrics.requests.observe(ms / 1_000, labelsOf(request, response));
      log[QUIET.has(request.path) ? 'debug' : 'info'](
        {
          requestId,
          method: request.method,
          path: loggedPath(request.path),
          status: statusOf(response),
          ms: Math.round(ms * 10) / 10,
          address,
          ...(caller ? { tenantId: caller.tenantId, [`${caller.credential.kind}Id`]: caller.credential.id } : {}),
          ...(traceId ? { traceId } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    const fail = (error: unknown) => {
      if (!response.writableEnded) next(error);
    };
    runInRequestContext(requestId, next, { address, fail });
  };
}

/** Ids of authorization requests, tickets of downloads and links to dashboards are secrets. */
function loggedPath(path: string): string {
  return path.replace(/^(.*\/(?:authorize|authorizations|portal\/backup)|\/shared)\/[^/]+/i, '$1/:id');
}

/** Low cardinality: the route's pattern, never the path. */
function labelsOf(request: Request, response: Response): Labels {
  const route: unknown = request.route?.path;
  return {
    method: METHODS.has(request.method) ? request.method : 'other',
    route: typeof route === 'string' ? route : 'unmatched',
    status: String(statusOf(response)),
  };
}

function statusOf({ headersSent, statusCode }: Response): number {
  return headersSent ? statusCode : CLIENT_LEFT;
}
