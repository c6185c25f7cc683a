import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { MemoryBudget } from '../core/concurrency/memory-budget.ts';
import type { Services } from '../core/services.ts';
import { requirePortal, requireScope } from '../core/shared/caller.ts';
import { parse } from '../core/shared/parse.ts';
import { addressOf } from './address.ts';
import { authenticate, authenticateAgain, callerOf } from './auth.ts';
import { parseBody, receiveBody } from './body/json.ts';
import { detachUpload, discardUpload, receiveUpload, uploadOf } from './body/multipart.ts';
import { releaseBody } from './body/read.ts';
import { HttpError, useFailureBody } from './errors.ts';
import type { Access, Route, RouteAnswer } from './route.ts';
import { sendStream } from './stream.ts';

/** About six of the largest batches, three of one tenant. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/** Each holds a few megabytes. One tenant may have four. */
const MAX_UPLOADS = 8;

interface Shared {
  services: Services;
  bodies: MemoryBudget;
  /** Counts uploads, not bytes. */
  uploads: MemoryBudget;
  stopping: AbortSignal;
}

/** Each path gets its 405 handler at once: `/things/:id` must not serve DELETE `/things/stats`. */
export function mountRoutes(app: Express, routes: readonly Route[], services: Services, stopping: AbortSignal): void {
  const shared: Shared = {
    services,
    bodies: new MemoryBudget(MAX_HELD_BYTES),
    uploads: new MemoryBudget(MAX_UPLOADS),
    stopping,
  };
  for (const [path, definitions] of Map.groupBy(routes, (definition) => definition.path)) {
    for (const definition of definitions) app[definition.method](path, ...middlewareOf(definition, shared));
    app.all(path, methodNotAllowed(definitions.map(({ method }) => method.toUpperCase())));
  }
}

function middlewareOf(definition: Route, shared: Shared): (RequestHandler | ErrorRequestHandler)[] {
  const { access, body, multipart, failure } = definition;
  const { services } = shared;
  const receive = [
    ...(body ? receiveBody(body, shared.bodies) : []),
    ...(multipart ? [receiveUpload(multipart, services, shared.uploads)] : []),
  ];
  const isOpen = access === 'open';
  return [
    ...(failure ? [useFailureBody(failure.bodyOf)] : []),
    ...(isOpen ? [] : [authenticate(services), requireAccess(access)]),
    ...receive,
    // A right may be revoked while the body arrives.
    ...(isOpen || receive.length === 0 ? [] : [authenticateAgain(services), requireAccess(access)]),
    respond(definition, shared),
    ...(multipart ? [discardUpload(multipart, services)] : []),
  ];
}

export function methodNotAllowed(methods: string[]): RequestHandler {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return (request) => {
    throw new HttpError(405, `${request.method} is not possible here. Use ${methods.join(' or ')}.`, { allow });
  };
}

function requireAccess(access: Exclude<Access, 'open'>): RequestHandler {
  return (_request, response, next) => {
    const caller = callerOf(response);
    if (access === 'portal:user' || access === 'portal:administrator') {
      requirePortal(caller, access === 'portal:user' ? 'user' : 'administrator');
    } else if (access !== 'authenticated') requireScope(caller, access);
    next();
  };
}

function respond(definition: Route, { services, stopping }: Shared): RequestHandler {
  return async (request, response) => {
    // Responses may hold keys and tokens.
    response.setHeader('cache-control', 'no-store');
    const signal = disconnectSignal(response, stopping);
    const answer = await run(definition, services, { request, response, signal });
    const { status = 200, body, headers = {}, stream } = answer ?? { status: 204 };
    detachUpload(response);
    if (response.destroyed) return;
    const begin = () => response.status(status).set(headers);
    if (stream) await sendStream(begin, stream, signal);
    else if (body === undefined) begin().end();
    else begin().json(body);
  };
}

/** Separate, so that the wait for a stream does not hold the request's input in memory. */
function run(
  definition: Route,
  services: Services,
  { request, response, signal }: { request: Request; response: Response; signal: AbortSignal },
): Promise<RouteAnswer> | Promise<void> {
  return definition.run({
    caller: callerOf(response),
    services,
    params: definition.params ? parse(definition.params, request.params) : {},
    query: definition.query ? parse(definition.query, givenIn(request.query), { text: true }) : {},
    body: definition.body && parseBody(request, definition.body),
    upload: uploadOf(response, definition.multipart),
    releaseBody: () => releaseBody(response),
    header: (name) => request.get(name),
    preferred: (...contentTypes) => request.accepts(contentTypes) || null,
    setHeader: (name, value) => response.setHeader(name, value),
    requestId: String(response.getHeader('x-request-id') ?? ''),
    get address() {
      return addressOf(request);
    },
    get secure() {
      return request.secure;
    },
    signal,
  });
}

/** An empty parameter counts as absent. */
function givenIn(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** Aborted when the client disconnects, with the reason of `stopping` at a shutdown. */
function disconnectSignal(response: Response, stopping: AbortSignal): AbortSignal {
  // 'close' has already fired if the client disconnected during authentication.
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(stopping.reason);
  });
  return controller.signal;
}
