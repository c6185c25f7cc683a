import type { z } from 'zod';
import type { Caller, Scope } from '../core/base/shared/caller.ts';
import type { Services } from '../core/services.ts';
import type { RouteBody } from './body/json.ts';
import type { ReceivedForm, RouteMultipart } from './body/multipart.ts';
import type { FailureBody } from './errors.ts';
import type { RouteStream } from './stream.ts';

/** The parsed request. Nothing of Express reaches `run`. */
export interface RouteContext<Params, Query, Body, Fields> {
  caller: Caller;
  services: Services;
  params: Params;
  query: Query;
  body: Body;
  /** Only of a route with `multipart`. */
  upload: ReceivedForm<Fields>;
  /** Releases the body's memory budget before a long response. */
  releaseBody(): void;
  /** The version that `If-Match` names; only of a route with `version`. */
  ifMatch: string | undefined;
  header(name: string): string | undefined;
  /** Null if the client accepts none of them. Adds `Vary: Accept` to the answer. */
  preferred(...contentTypes: string[]): string | null;
  /** Error responses carry it as well. */
  setHeader(name: string, value: string): void;
  requestId: string;
  address: string;
  /** See `isSecure`. */
  secure: boolean;
  /** The path of the public address, with a slash at its end. */
  basePath: string;
  /** The public address, by default that of the request; with a slash at its end. */
  baseUrl: string;
  /** Aborted when the client disconnects, with `ServerStopped` at a graceful shutdown. */
  signal: AbortSignal;
}

export interface RouteAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string | string[]>;
  stream?: RouteStream;
  /** In place of a JSON body. */
  content?: { type: string; bytes: Uint8Array | string };
}

export interface RouteResponse {
  description: string;
  /** The schema of a JSON body; left out with 204. */
  schema?: z.ZodType;
  /** Other bodies by content type. */
  content?: Record<string, z.ZodType>;
  /** Descriptions by lower-case name. */
  headers?: Record<string, string>;
}

export interface RouteFailure {
  schema: z.ZodType;
  bodyOf: FailureBody;
}

/**
 * A scope, a portal role, any credential (`authenticated`) or none (`open`). `portal:operator` is
 * for a SUPER_ADMIN of the only tenant: what concerns the whole installation.
 */
export type RouteAccess = Scope | 'portal:user' | 'portal:administrator' | 'portal:operator' | 'authenticated' | 'open';

/** One endpoint as data: `pipeline.ts` mounts it, `docs/openapi.ts` documents it. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Fields extends z.ZodObject = z.ZodObject,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  access: RouteAccess;
  /** Users who have a second factor must have given it within ten minutes. */
  stepUp?: true;
  /** A GET gives its answer once. HEAD, which would use that up, is 405. */
  once?: true;
  tag: string;
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  body?: RouteBody<Body>;
  /** In place of `body`. */
  multipart?: RouteMultipart<Fields>;
  /**
   * Gives the version of an answer's body: its `ETag`. Routes that change something pass `ifMatch`
   * on, and answer 412 to an outdated one.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the body of the route's own answers
  version?: (body: any) => string;
  /** Descriptions by name. */
  headers?: Record<string, string>;
  /** Success responses by status. */
  responses: Record<number, RouteResponse>;
  /** Errors by status, where the usual description does not apply. */
  faults?: Record<number, string>;
  /** For all errors but 401 and 403. */
  failure?: RouteFailure;
  /** Resolving with nothing means 204. */
  run(context: Context<Params, Query, Body, Fields>): Promise<RouteAnswer> | Promise<void>;
}

type Context<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, F extends z.ZodType> = RouteContext<
  z.output<P>,
  z.output<Q>,
  z.output<B>,
  z.output<F>
>;

/** `answer` stands for a `run` that gives the JSON body of the only success response. */
export type RouteDefinition<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  F extends z.ZodObject = z.ZodObject,
> = Omit<Route<P, Q, B, F>, 'run'> &
  (
    | { run: Route<P, Q, B, F>['run']; answer?: undefined }
    | { answer(context: Context<P, Q, B, F>): Promise<unknown>; run?: undefined }
  );

/** Checks a route's types, then erases them so that routes can share a list. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, F extends z.ZodObject>(
  definition: RouteDefinition<P, Q, B, F>,
): Route {
  const { answer, ...rest } = definition;
  if (answer === undefined) return rest as unknown as Route;
  const status = Number(Object.keys(rest.responses)[0]);
  const run = async (context: Context<P, Q, B, F>) => ({ status, body: await answer(context) });
  return { ...rest, run } as unknown as Route;
}
