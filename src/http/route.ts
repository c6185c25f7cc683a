import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Services } from '../core/services.ts';
import { type Caller, requirePortal, requireScope, type Scope } from '../core/shared/caller.ts';
import { invalid } from '../core/shared/errors.ts';
import { MemoryBudget } from '../core/shared/memory-budget.ts';
import { parse } from '../core/shared/parse.ts';
import { addressOf } from './address.ts';
import { authenticate, authenticateAgain, callerOf } from './auth.ts';
import { readBody, releaseBody } from './body/budget.ts';
import {
  formOf,
  keepUpload,
  type ReceivedForm,
  type RouteMultipart,
  receiveUpload,
  refuseUpload,
} from './body/multipart.ts';
import { type FailureBody, HttpError, useFailureBody } from './errors.ts';
import { type RouteStream, sendStream } from './stream.ts';

export interface RouteBody<Body extends z.ZodType = z.ZodType> {
  schema: Body;
  /** Largest body, in bytes after decompression. */
  maxBytes: number;
  /** It may be left out, which is as good as an empty object. */
  optional?: true;
  /** Also takes `application/x-ndjson`; `fromLines` makes of the lines what the schema expects. */
  fromLines?: (lines: unknown[]) => unknown;
}

/** What a route's `run` gets: everything parsed, nothing of Express. */
export interface RouteContext<Params, Query, Body, Fields> {
  caller: Caller;
  services: Services;
  params: Params;
  query: Query;
  body: Body;
  /** Of a route with `multipart`. */
  upload: ReceivedForm<Fields>;
  /** For a `run` whose answer lasts: says that nothing holds the body any more, so that others may be sent. */
  releaseBody(): void;
  header(name: string): string | undefined;
  /** Which of these content types the client would rather have, the first of equals; null: none of them. */
  preferred(...contentTypes: string[]): string | null;
  /** For what is known before it is known how the request ends: an error's answer has it, too. */
  setHeader(name: string, value: string): void;
  /** As `x-request-id` of the answer says it. */
  requestId: string;
  /** Where the request comes from: an IP address, of IPv6 the network, which one household or host has to itself. */
  address: string;
  /** Whether the request came over https, as the connection or a trusted proxy says. */
  secure: boolean;
  /** Aborted when the client leaves, or with `ServerStopped` as its reason when the server no longer waits for the end. */
  signal: AbortSignal;
}

export interface RouteAnswer {
  status?: number;
  /** None with 204. */
  body?: unknown;
  headers?: Record<string, string>;
  /** In place of a body: text that is sent as it comes, at the pace at which it is taken. */
  stream?: RouteStream;
}

/** One success answer as it is documented. */
export interface RouteResponse {
  description: string;
  /** Of a JSON body; none with 204. */
  schema?: z.ZodType;
  /** What the body may be in place of JSON, by content type; text is a described string. */
  content?: Record<string, z.ZodType>;
  /** Response headers of its own: what each says, by name in small letters. */
  headers?: Record<string, string>;
}

/** How a route tells of what went wrong. */
export interface RouteFailure {
  schema: z.ZodType;
  bodyOf: FailureBody;
}

/**
 * Who may use a route: keys, and users by their role, with this scope; portal users alone; the administrators among them;
 * every key and every user; or everyone, without a credential.
 */
export type Access = Scope | 'portal:user' | 'portal:administrator' | 'authenticated' | 'open';

/** One endpoint as data: mounted by `mountRoutes`, documented by `openapi.ts`, checked by tests/conventions.test.ts. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Fields extends z.ZodObject = z.ZodObject,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As Express writes it: `/things/:thingId`. */
  path: string;
  access: Access;
  tag: string;
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: RouteBody<Body>;
  /** In place of a body: text fields and one file. */
  multipart?: RouteMultipart<Fields>;
  /** Request headers beyond the usual, by name. */
  headers?: Record<string, string>;
  /** The success answers by status. */
  responses: Record<number, RouteResponse>;
  /** Faults of its own beside the usual ones, by status. */
  faults?: Record<number, string>;
  /** In place of the usual body of errors, for all but 401 and 403. */
  failure?: RouteFailure;
  run(context: RouteContext<z.output<Params>, z.output<Query>, z.output<Body>, z.output<Fields>>): Promise<RouteAnswer>;
}

/** Keeps a route's own types while it is written, and lets routes of all types share a list. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, F extends z.ZodObject>(
  definition: Route<P, Q, B, F>,
): Route {
  return definition as unknown as Route;
}

/** Some six of the largest batches, three of one tenant, or very many small ones. */
const MAX_HELD_BYTES = 128 * 1024 * 1024;

/** Four of one tenant. Each holds a few megabytes, and they share the processor that parses and hashes them. */
const MAX_UPLOADS = 8;

/**
 * Mounts the routes, path by path, and with each path an answer to the methods it does not have: `/things/stats` stands before
 * `/things/:thingId`, and is no thing to be deleted.
 */
export function mountRoutes(app: Express, routes: readonly Route[], services: Services, stopping: AbortSignal): void {
  const rooms: Rooms = { bodies: new MemoryBudget(MAX_HELD_BYTES), uploads: new MemoryBudget(MAX_UPLOADS) };
  for (const [path, definitions] of Map.groupBy(routes, (definition) => definition.path)) {
    for (const definition of definitions) {
      app[definition.method](path, ...handlersOf(definition, { services, rooms, stopping }));
    }
    app.all(path, methodNotAllowed(definitions.map(({ method }) => method.toUpperCase())));
  }
}

/** What all requests together may hold. */
interface Rooms {
  /** In bytes. */
  bodies: MemoryBudget;
  /** In uploads. */
  uploads: MemoryBudget;
}

interface Mounting {
  services: Services;
  rooms: Rooms;
  stopping: AbortSignal;
}

function handlersOf(definition: Route, mounting: Mounting): (RequestHandler | ErrorRequestHandler)[] {
  const { multipart, failure } = definition;
  const { services, stopping } = mounting;
  const handlers = [
    ...(failure ? [useFailureBody(failure.bodyOf)] : []),
    ...guardsOf(definition, mounting),
    handler(definition, services, stopping),
  ];
  return multipart ? [...handlers, refuseUpload(multipart, services)] : handlers;
}

/** Who asks, whether they may, what they send, and whether they still may when that took long. */
function guardsOf({ access, body, multipart }: Route, { services, rooms }: Mounting): RequestHandler[] {
  const parsers = [
    ...(body ? bodyParsers(body, rooms.bodies) : []),
    ...(multipart ? [receiveUpload(multipart, services, rooms.uploads)] : []),
  ];
  if (access === 'open') return parsers;
  const guards = [authenticate(services), requireAccess(access)];
  return parsers.length > 0 ? [...guards, ...parsers, authenticateAgain(services), requireAccess(access)] : guards;
}

/** The answer to every method that a path does not have. */
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

function handler(definition: Route, services: Services, stopping: AbortSignal): RequestHandler {
  return async (request, response) => {
    // Answers are about now and for who asked, and some hold a key or a token.
    response.setHeader('cache-control', 'no-store');
    const signal = signalOf(response, stopping);
    const { status = 200, body, headers = {}, stream } = await run(definition, services, { request, response, signal });
    keepUpload(response);
    if (response.destroyed) return;
    const begin = () => response.status(status).set(headers);
    if (stream) await sendStream(begin, stream, signal);
    else if (body === undefined) begin().end();
    else begin().json(body);
  };
}

/** By itself: what waits for a stream to end must not hold what was asked for. */
function run(
  definition: Route,
  services: Services,
  { request, response, signal }: { request: Request; response: Response; signal: AbortSignal },
): Promise<RouteAnswer> {
  return definition.run({
    caller: callerOf(response),
    services,
    params: definition.params ? parse(definition.params, request.params) : {},
    query: definition.query ? parse(definition.query, request.query) : {},
    body: definition.body ? parse(definition.body.schema, bodyOf(request, definition.body)) : undefined,
    upload: uploadOf(response, definition),
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

/** Of a route without one nobody looks at it. */
function uploadOf(response: Response, { multipart }: Route): ReceivedForm<Record<string, unknown>> {
  const form = formOf(response);
  return multipart ? { ...form, fields: parse(multipart.fields, form.fields) } : form;
}

const NDJSON = 'application/x-ndjson';

function bodyParsers({ maxBytes, optional, fromLines }: RouteBody, room: MemoryBudget): RequestHandler[] {
  const accepted = ['application/json', ...(fromLines ? [NDJSON] : [])];
  const checkType: RequestHandler = (request, _response, next) => {
    if (request.is(accepted) || (optional && isEmpty(request))) return next();
    throw new HttpError(415, `Send a body with Content-Type ${accepted.join(' or ')}.`);
  };
  return [checkType, readBody(room, maxBytes)];
}

function isEmpty({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

function bodyOf(request: Request, { optional, fromLines }: RouteBody): unknown {
  const text = decode(request.body);
  // Of what is parsed the bytes need not be kept, and a stream may last.
  request.body = undefined;
  if (optional && text === '') return {};
  if (fromLines && request.is(NDJSON)) return fromLines(parseLines(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('body: is not valid JSON');
  }
}

/** What is not UTF-8 is refused: a decoder that mends it would store something else than was sent. */
function decode(body: unknown): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body instanceof Uint8Array ? body : new Uint8Array());
  } catch {
    throw invalid('body: is not valid UTF-8');
  }
}

/** One JSON value a line; undefined where a line is none, for the service to say which. */
function parseLines(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        return undefined;
      }
    });
}

/** Why a connection closes that the server itself closes, `stopping` says. */
function signalOf(response: Response, stopping: AbortSignal): AbortSignal {
  // Who left while it was looked at who they are is not heard to leave any more.
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(stopping.reason);
  });
  return controller.signal;
}
