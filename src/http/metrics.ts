import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { forbidden, RuntimeError } from '../core/base/shared/errors.ts';
import type { Exposition } from '../metrics/exposition.ts';
import { isLocalSocket } from './address.ts';

interface MetricsOptions {
  /** Required from other machines; undefined: refuse them. */
  token: string | undefined;
  expose(): Promise<Exposition>;
}

export function metricsHandlers({ token, expose }: MetricsOptions): RequestHandler[] {
  return [
    checkAccess(token),
    async (_request, response) => {
      const { contentType, text } = await expose();
      response.setHeader('cache-control', 'no-store').type(contentType).send(text);
    },
  ];
}

function checkAccess(token: string | undefined): RequestHandler {
  return (request, _response, next) => {
    if (isLocalRequest(request)) return next();
    if (token === undefined) {
      throw forbidden(
        'Metrics are for the machine that the server runs on. Set AGENT_RUNTIME_METRICS_TOKEN to let others read them.',
      );
    }
    const sent = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (sent !== undefined && isSame(sent, token)) return next();
    throw new RuntimeError(
      'unauthenticated',
      'Metrics need the token of AGENT_RUNTIME_METRICS_TOKEN, sent as "Authorization: Bearer <token>".',
    );
  };
}

/** By the connection. Proxy headers can only refuse access, never grant it. */
function isLocalRequest({ socket, headers }: Request): boolean {
  if (headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined) return false;
  return isLocalSocket(socket) || /^(::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
}

function isSame(sent: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}
