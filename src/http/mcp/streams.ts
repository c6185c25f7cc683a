import type { Request, RequestHandler } from 'express';
import type { Caller } from '../../core/base/shared/caller.ts';
import { RuntimeError } from '../../core/base/shared/errors.ts';
import { isLocalSocket } from '../address.ts';
import { requestCaller } from '../auth.ts';

/** Streams have no time limit, and each holds a connection and a subscription. */
const MAX_STREAMS_OF_KEY = 32;
const MAX_STREAMS_OF_TENANT = 256;
const RETRY_AFTER = 10;

/** 429 beyond the limits. Streams over the data directory's socket are not counted. */
export function limitStreams(): RequestHandler {
  const open = new Map<string, number>();
  const add = (name: string, change: 1 | -1) => {
    const count = (open.get(name) ?? 0) + change;
    if (count > 0) open.set(name, count);
    else open.delete(name);
  };
  return (request, response, next) => {
    if (!opensStream(request) || isLocalSocket(request.socket) || response.destroyed) return next();
    const { credential, tenantId } = requestCaller(response);
    const names = [`credential ${credential.id}`, `tenant ${tenantId}`] as const;
    const [ofCredential, ofTenant] = names.map((name) => open.get(name) ?? 0) as [number, number];
    if (ofCredential >= MAX_STREAMS_OF_KEY) throw tooMany(nounOf(credential), MAX_STREAMS_OF_KEY);
    if (ofTenant >= MAX_STREAMS_OF_TENANT) throw tooMany('tenant', MAX_STREAMS_OF_TENANT);
    for (const name of names) add(name, 1);
    response.once('close', () => {
      for (const name of names) add(name, -1);
    });
    next();
  };
}

function opensStream({ method, body }: Request): boolean {
  return method === 'GET' || methodsOf(body).includes('subscriptions/listen');
}

/** Takes one message or a batch. */
export function methodsOf(body: unknown): unknown[] {
  return [body].flat().map((message) => (message as { method?: unknown } | null)?.method);
}

function nounOf({ kind }: Caller['credential']): string {
  return kind === 'key' ? 'API key' : kind === 'user' ? 'user' : 'application';
}

function tooMany(whose: string, limit: number): RuntimeError {
  const message = `This ${whose} has ${limit} MCP streams open, which is the most at once. Close one, then try again.`;
  return new RuntimeError('rate_limited', message, { retryAfter: RETRY_AFTER });
}
