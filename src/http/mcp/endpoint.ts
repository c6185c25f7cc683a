import type { McpServerFactory } from '@modelcontextprotocol/server';
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import { isObject } from '../../core/base/json-schema/values.ts';
import { isLoopbackName } from '../../core/base/network/addresses.ts';
import { type Caller, hasScope, lackingScope, type Scope } from '../../core/base/shared/caller.ts';
import { invalid, RuntimeError } from '../../core/base/shared/errors.ts';
import type { Services } from '../../core/services.ts';
import type { Log } from '../../logging/log.ts';
import { CHALLENGE, hostnameOf, hostnamesOf } from '../address.ts';
import { authenticate, authenticateAgain, requestCaller } from '../auth.ts';
import { HttpError } from '../errors.ts';
import { audienceOf, type OAuthBaseOf } from '../oauth/address.ts';
import { identifyClient } from './clients.ts';
import { limitStreams, methodsOf } from './streams.ts';

const MAX_BYTES = 1024 * 1024;
/** Limit of the MCP library. */
const MAX_BATCH = 100;

type McpContext = Parameters<McpServerFactory>[0];

/** Facts of a request for which a server is about to be made. */
export interface McpRequests {
  callerOf(context: McpContext): Caller;
  /** The tool where a request does no more than call one; null for a notification. */
  toolOf(context: McpContext): string | null | undefined;
}

export interface McpOptions {
  services: Services;
  log: Log;
  /** Called with the first request. */
  factory: (requests: McpRequests) => McpServerFactory | Promise<McpServerFactory>;
  /** Null for an unknown tool. */
  scopesOfTool(name: string, caller: Caller): Promise<readonly Scope[] | null>;
  /** For Origin. The application checks Host. */
  allowedHosts: readonly string[];
  allowedOrigins: readonly string[];
  baseOf: OAuthBaseOf;
}

/** Streamable HTTP, stateless, for the 2025 revisions and 2026-07-28. */
export function mcpHandlers({
  services,
  log,
  factory,
  scopesOfTool,
  baseOf,
  ...allowed
}: McpOptions): (RequestHandler | ErrorRequestHandler)[] {
  const allowedHosts = hostnamesOf(allowed.allowedHosts);
  const { allowedOrigins } = allowed;
  const accepted = { audienceOf: audienceOf(baseOf, 'mcp') };
  const load = async () => {
    const [{ mcpHandler }, servers] = await Promise.all([
      import('./handler.ts'),
      factory({
        callerOf: ({ authInfo }) => authInfo?.extra?.caller as Caller,
        toolOf: ({ authInfo }) => authInfo?.extra?.tool as string | null | undefined,
      }),
    ]);
    return mcpHandler(servers, log);
  };
  let handler: ReturnType<typeof load> | undefined;
  return [
    refuseTrace,
    checkOrigin(allowedHosts, allowedOrigins),
    readAccept,
    authenticate(services, accepted),
    express.json({ limit: MAX_BYTES, strict: false }),
    answerParseError,
    authenticateAgain(services, accepted),
    checkShape,
    leaveOutNullArguments,
    chargeBatch(services),
    challengeScope,
    challengeTools(scopesOfTool),
    limitStreams(),
    identifyClient(),
    async (request: Request, response: Response) => {
      handler ??= load();
      const handle = await handler;
      await handle(Object.assign(request, { auth: authInfo(request, response) }), response, request.body);
    },
  ];
}

/** The MCP library builds a `Request`, which rejects TRACE. */
const refuseTrace: RequestHandler = (request, _response, next) => {
  if (request.method === 'TRACE') throw new HttpError(405, 'TRACE is not possible here. Use POST.', { allow: 'POST' });
  next();
};

const ANSWERS = ['application/json', 'text/event-stream'];

/**
 * The MCP library looks for the names of types alone, so it gets those that the media ranges of
 * Accept cover.
 */
const readAccept: RequestHandler = (request, _response, next) => {
  const { headers } = request;
  // Parameters other than q, such as a charset, narrow no range here.
  if (headers.accept) headers.accept = headers.accept.replace(/;\s*(?!q\s*=)[^;,]*/gi, '');
  const accepted = ANSWERS.filter((type) => request.accepts(type));
  headers.accept = accepted.join(', ');
  next();
};

function authInfo({ body }: Request, response: Response) {
  const caller = requestCaller(response);
  const { id } = caller.credential;
  const extra = { caller, client: response.locals.client, tool: toolNeeded(body) };
  return { token: id, clientId: id, scopes: [...caller.scopes], extra };
}

function toolNeeded(body: unknown): string | null | undefined {
  if (Array.isArray(body)) return undefined;
  const isNotification = methodsOf(body).some((method) => String(method).startsWith('notifications/'));
  return isNotification ? null : toolsCalledIn(body)[0];
}

const answerParseError: ErrorRequestHandler = (error, _request, response, next) => {
  if ((error as { type?: unknown }).type !== 'entity.parse.failed') return next(error);
  response
    .status(400)
    .json({ jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: the body is not valid JSON' }, id: null });
};

/** Schema libraries recurse: deeper bodies could overflow the stack. */
const MAX_DEPTH = 64;

/**
 * Members of all objects together, without items of lists. They are checked several times, on the
 * thread that answers all.
 */
const MAX_MEMBERS = 20_000;

const checkShape: RequestHandler = (request, _response, next) => {
  let level: unknown[] = [request.body];
  let members = 0;
  const valuesOf = (value: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [];
    if (Array.isArray(value)) return value;
    const values = Object.values(value);
    members += values.length;
    return values;
  };
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw invalid(`body: is nested deeper than ${MAX_DEPTH} levels`);
    level = level.flatMap(valuesOf);
    if (members > MAX_MEMBERS) throw invalid(`body: its objects have more than ${MAX_MEMBERS} members together`);
  }
  next();
};

/** Some clients send null for no arguments, which the MCP library refuses. */
const leaveOutNullArguments: RequestHandler = (request, _response, next) => {
  for (const message of [request.body as unknown].flat()) {
    const params = isObject(message) ? message.params : undefined;
    if (isObject(params) && params.arguments === null) delete params.arguments;
  }
  next();
};

/** Authentication has counted the first message. */
function chargeBatch({ rateLimiter }: Services): RequestHandler {
  return async (request, response, next) => {
    const messages: unknown[] = Array.isArray(request.body) ? request.body.slice(1, MAX_BATCH) : [];
    for (const _ of messages) await rateLimiter.take(requestCaller(response));
    next();
  };
}

const CALLS = new Set(['tools/call', 'resources/read', 'prompts/get', 'skills/get']);

/** Without `mcp:read` a caller may list (an empty list) but not call. */
const challengeScope: RequestHandler = (request, response, next) => {
  const calls = methodsOf(request.body).some((method) => CALLS.has(String(method)));
  if (!calls || hasScope(requestCaller(response), 'mcp:read')) return next();
  throw lackingScope(requestCaller(response), 'mcp:read');
};

/**
 * Before a tool that a person did not allow an application, but could: its client then asks the
 * person again (step-up). Everybody else gets the tool's own answer.
 */
function challengeTools(scopesOfTool: McpOptions['scopesOfTool']): RequestHandler {
  return async (request, response, next) => {
    const caller = requestCaller(response);
    if (!caller.grant) return next();
    for (const name of toolsCalledIn(request.body)) {
      const missing = ((await scopesOfTool(name, caller)) ?? []).filter((scope) => !hasScope(caller, scope));
      const { obtainable } = caller.grant;
      if (missing.length === 0 || !missing.every((scope) => hasScope({ ...caller, scopes: obtainable }, scope)))
        continue;
      const { message } = lackingScope(caller, missing[0]!);
      // With those that it has, since the new grant replaces the old one.
      throw new RuntimeError('forbidden', message, { scope: [...caller.scopes, ...missing].join(' ') });
    }
    next();
  };
}

function toolsCalledIn(body: unknown): string[] {
  return [body].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } };
    return method === 'tools/call' && typeof params?.name === 'string' ? [params.name] : [];
  });
}

/** Only browsers send Origin. */
function checkOrigin(hosts: readonly string[], origins: readonly string[]): RequestHandler {
  return (request, _response, next) => {
    const { origin } = request.headers;
    const hostname = origin === undefined ? 'localhost' : hostnameOf(origin);
    if (hostname !== null && (isLoopbackName(hostname) || hosts.includes(hostname))) return next();
    if (origin !== undefined && origins.includes(origin)) return next();
    throw new HttpError(
      403,
      `The origin "${origin}" is not allowed here. Set AGENT_RUNTIME_ALLOWED_ORIGINS.`,
      CHALLENGE,
    );
  };
}
