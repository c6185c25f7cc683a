import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { isObject } from '../../core/base/json-schema/values.ts';
import { type ClientInfo, traceIdOf } from '../../core/base/network/trace.ts';
import { requestCaller } from '../auth.ts';

const MAX_CLIENTS = 10_000;
const MAX_LENGTH = 100;

/**
 * Sets `client` and `traceId` of `response.locals`. In the revisions of 2025 a client names itself
 * in `initialize` alone, and there are no sessions: this node remembers the last name of each
 * credential and User-Agent.
 */
export function identifyClient(): RequestHandler {
  const known = new LRUCache<string, ClientInfo>({ max: MAX_CLIENTS });
  return (request, response, next) => {
    const { credential } = requestCaller(response);
    const key = `${credential.id} ${request.get('user-agent')?.slice(0, 200)}`;
    for (const message of [request.body as unknown].flat()) {
      const { method, params } = isObject(message) ? message : {};
      if (!isObject(params)) continue;
      response.locals.traceId ??= traceIdOf(params._meta);
      if (method === 'initialize' && isObject(params.clientInfo)) {
        const { name, version } = params.clientInfo;
        known.set(key, { name: bounded(name), version: bounded(version) });
      }
    }
    response.locals.client = known.get(key);
    next();
  };
}

/** Not a part of a longer text, which V8 would keep whole. */
function bounded(text: unknown): string | undefined {
  return typeof text === 'string' && text.length <= MAX_LENGTH ? text : undefined;
}
