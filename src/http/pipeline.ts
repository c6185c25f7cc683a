import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { FairLimiter } from '../core/base/concurrency/fair-limiter.ts';
import { MemoryBudget } from '../core/base/concurrency/memory-budget.ts';
import type { MemoryGuard } from '../core/base/concurrency/memory-guard.ts';
import { requirePortal, requireScope } from '../core/base/shared/caller.ts';
import { invalid } from '../core/base/shared/errors.ts';
import { parse } from '../core/base/shared/parse.ts';
import type { Services } from '../core/services.ts';
import { addressOf, baseUrlOf, isSecure } from './address.ts';
import { type AcceptedCredentials, authenticate, authenticateAgain, requestCaller } from './auth.ts';
import { parseBody, receiveBody } from './body/json.ts';
import { detachUpload, discardUpload, receiveUpload, uploadOf } from './body/multipart.ts';
import { releaseBody } from './body/read.ts';
import { disconnectSignal } from './deadline.ts';
import { HttpError, useFailureBody } from './errors.ts';
import { audienceOf, type OAuthBaseOf } from './oauth/address.ts';
import type { Route, RouteAccess, RouteAnswer } from './route.ts';
import { sendStream } from './stream.ts';

/** About six of the largest batches, three of one tenant. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;
/** One of the largest batches. */
const LEAST_HELD_BYTES = 40 * 1024 * 1024;

/** Each holds about 2 MB: what its form reads ahead, and what is being written. */
const MAX_UPLOADS = 32;
const MAX_UPLOADS_ALONE = 4;
const MAX_UPLOADS_CONTENDED = 2;
/** Each holds a connection and up to 128 KB, which Node.js reads ahead. */
const MAX_WAITING_UPLOADS = 200;
const MAX_WAITING_UPLOADS_OF_ALL = 1_000;
const UPLOAD_RETRY_AFTER = 5;

interface Shared {
  services: Services;
  credentials: AcceptedCredentials;
  basePath: string;
  publicUrl: string | undefined;
  bodies: MemoryBudget;
  uploads: FairLimiter;
  shutdown: Shutdown;
}

export interface Shutdown {
  /** Aborted at its start: what waits for its turn is refused. */
  begun: AbortSignal;
  /** Aborted just before running requests are cut off. */
  stopping: AbortSignal;
}

const NEVER: Shutdown = { begun: new AbortController().signal, stopping: new AbortController().signal };

const PLENTY = { share: 1, guard: null };

interface Mounting {
  services: Services;
  shutdown?: Shutdown | undefined;
  /** The path of the public address, with a slash at its end. */
  basePath?: string;
  baseOf?: OAuthBaseOf;
  publicUrl?: string | undefined;
  memory?: { share: number; guard: MemoryGuard | null };
}

/**
 * Each path gets its 405 handler right away: `/things/:id` must not serve DELETE `/things/stats`.
 */
export function mountRoutes(
  app: Express,
  routes: readonly Route[],
  { services, shutdown = NEVER, basePath = '/', baseOf = () => null, publicUrl, memory = PLENTY }: Mounting,
): void {
  const shared: Shared = {
    services,
    credentials: {
      cookiePlaceOf: (request) => ({ basePath, secure: isSecure(request, publicUrl) }),
      audienceOf: audienceOf(baseOf, 'api'),
    },
    basePath,
    publicUrl,
    bodies: new MemoryBudget(Math.max(LEAST_HELD_BYTES, MAX_HELD_BYTES * memory.share), memory.guard),
    uploads: uploadSlots(),
    shutdown,
  };
  for (const [path, definitions] of Map.groupBy(routes, (definition) => definition.path)) {
    const route = app.route(path);
    const methods = definitions.map(({ method }) => method.toUpperCase());
    const isOnce = definitions.some(({ once }) => once);
    const refuse = methodNotAllowed(methods, methods.includes('GET') && !isOnce);
    if (isOnce) route.head(refuse);
    for (const definition of definitions) route[definition.method](...middlewareOf(definition, shared));
    route.all(refuse);
  }
}

export function uploadSlots(): FairLimiter {
  return new FairLimiter({
    concurrency: MAX_UPLOADS,
    perKeyAlone: MAX_UPLOADS_ALONE,
    perKeyContended: MAX_UPLOADS_CONTENDED,
    maxQueue: MAX_WAITING_UPLOADS,
    maxQueueOfAll: MAX_WAITING_UPLOADS_OF_ALL,
    rejection: 'Too many files are being sent at once; nothing was stored. Try again.',
    retryAfter: UPLOAD_RETRY_AFTER,
  });
}

function middlewareOf(definition: Route, shared: Shared): (RequestHandler | ErrorRequestHandler)[] {
  const { access, stepUp, body, multipart, failure } = definition;
  const { services, credentials } = shared;
  const receive = [
    ...(body ? receiveBody(body, shared.bodies) : []),
    ...(multipart ? [receiveUpload(multipart, services, { slots: shared.uploads, begun: shared.shutdown.begun })] : []),
  ];
  const isOpen = access === 'open';
  return [
    ...(failure ? [useFailureBody(failure.bodyOf)] : []),
    ...(isOpen ? [] : [authenticate(services, credentials), requireAccess(access, services)]),
    ...(stepUp ? [requireStepUp(services)] : []),
    ...receive,
    // A right may be revoked while the body arrives.
    ...(isOpen || receive.length === 0
      ? []
      : [authenticateAgain(services, credentials), requireAccess(access, services)]),
    respond(definition, shared),
    ...(multipart ? [discardUpload(multipart, services)] : []),
  ];
}

export function methodNotAllowed(methods: string[], hasHead = methods.includes('GET')): RequestHandler {
  const allow = [...methods, ...(hasHead ? ['HEAD'] : [])].join(', ');
  return (request) => {
    throw new HttpError(405, `${request.method} is not possible here. Use ${methods.join(' or ')}.`, { allow });
  };
}

function requireAccess(access: Exclude<RouteAccess, 'open'>, { tenants }: Services): RequestHandler {
  if (access === 'portal:operator') {
    return async (_request, response, next) => {
      await tenants.requireOperator(requestCaller(response));
      next();
    };
  }
  return (_request, response, next) => {
    const caller = requestCaller(response);
    if (access === 'portal:user' || access === 'portal:administrator') {
      requirePortal(caller, access === 'portal:user' ? 'user' : 'administrator');
    } else if (access !== 'authenticated') requireScope(caller, access);
    next();
  };
}

function requireStepUp({ stepUp }: Services): RequestHandler {
  return async (_request, response, next) => {
    await stepUp.require(requestCaller(response));
    next();
  };
}

function respond(definition: Route, { services, shutdown, basePath, publicUrl }: Shared): RequestHandler {
  return async (request, response) => {
    // Responses may hold keys and tokens.
    response.setHeader('cache-control', 'no-store');
    const signal = disconnectSignal(response, shutdown.stopping);
    const answer = await run(definition, services, { request, response, signal, basePath, publicUrl });
    const { status = 200, body, headers = {}, stream, content } = answer ?? { status: 204 };
    detachUpload(response);
    if (response.destroyed) return;
    if (definition.version && body !== undefined) response.setHeader('etag', `"${definition.version(body)}"`);
    const begin = () => response.status(status).set(headers);
    if (stream) await sendStream(begin, stream, signal);
    else if (content) begin().type(content.type).send(content.bytes);
    else if (body === undefined) begin().end();
    else begin().json(body);
  };
}

/** Separate, so that the wait for a stream does not hold the request's input in memory. */
async function run(
  definition: Route,
  services: Services,
  {
    request,
    response,
    signal,
    basePath,
    publicUrl,
  }: { request: Request; response: Response; signal: AbortSignal; basePath: string; publicUrl: string | undefined },
): Promise<RouteAnswer | undefined> {
  const body = definition.body && (await parseBody(request, definition.body));
  return definition.run({
    caller: requestCaller(response),
    services,
    params: definition.params ? parse(definition.params, request.params) : {},
    query: definition.query ? parse(definition.query, givenIn(request.query), { text: true }) : {},
    body,
    upload: uploadOf(response, definition.multipart),
    releaseBody: () => releaseBody(response),
    ifMatch: definition.version && expectedVersion(request.get('if-match')),
    header: (name) => request.get(name),
    preferred: (...contentTypes) => {
      response.vary('Accept');
      // `Accept: application/json; charset=utf-8` matches only a type with this parameter.
      const accepted = request.accepts(contentTypes.flatMap((type) => [type, `${type}; charset=utf-8`]));
      return accepted ? accepted.split(';')[0]! : null;
    },
    setHeader: (name, value) => response.setHeader(name, value),
    requestId: String(response.getHeader('x-request-id') ?? ''),
    get address() {
      return addressOf(request);
    },
    get secure() {
      return isSecure(request, publicUrl);
    },
    basePath,
    get baseUrl() {
      return baseUrlOf(request, publicUrl);
    },
    signal,
  }) as Promise<RouteAnswer | undefined>;
}

/** Proxies that compress an answer mark its ETag so: as nginx, or as Caddy and Apache. */
const ONE_ETAG = /^(?:W\/)?"([\w-]{1,100}?)(?:-(?:gzip|br|zstd|deflate))?"$/;

/** `*` and a list of several are no version that somebody has read. */
function expectedVersion(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, version] = ONE_ETAG.exec(header.trim()) ?? [];
  if (version === undefined) throw invalid('If-Match: must be the ETag of one answer, in double quotes');
  return version;
}

/** An empty parameter counts as absent. */
function givenIn(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}
