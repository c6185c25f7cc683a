import type { z } from 'zod';
import type { Services } from '../core/services.ts';
import type { Caller, Scope } from '../core/shared/caller.ts';
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
  /** Releases the memory budget of the body early, for a `run` with a long response. */
  releaseBody(): void;
  header(name: string): string | undefined;
  /**
   * The content type that the client prefers, the first of equals; null: it accepts none of them.
   */
  preferred(...contentTypes: string[]): string | null;
  /** Sets a header that error responses carry as well. */
  setHeader(name: string, value: string): void;
  requestId: string;
  /** The client's IP address; of IPv6 the /64 network. */
  address: string;
  /** Whether the request came over https, by the connection or a trusted proxy. */
  secure: boolean;
  /**
   * Aborted when the client disconnects; `ServerStopped` is its reason during a graceful shutdown.
   */
  signal: AbortSignal;
}

export interface RouteAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** In place of a body. */
  stream?: RouteStream;
}

/** A success response as it is documented. */
export interface RouteResponse {
  description: string;
  /** Of a JSON body; omitted with 204. */
  schema?: z.ZodType;
  /** Other bodies by content type; text is a described string. */
  content?: Record<string, z.ZodType>;
  /** Descriptions of response headers, by lower-case name. */
  headers?: Record<string, string>;
}

/** An error body in place of the usual one. */
export interface RouteFailure {
  schema: z.ZodType;
  bodyOf: FailureBody;
}

/**
 * The right that a route needs: a scope, which keys and users by their role have; a portal user; a
 * portal administrator; any credential; or none.
 */
export type Access = Scope | 'portal:user' | 'portal:administrator' | 'authenticated' | 'open';

/** One endpoint as data: `pipeline.ts` mounts it, `docs/openapi.ts` documents it. */
export interface Route<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Fields extends z.ZodObject = z.ZodObject,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** In Express's syntax: `/things/:thingId`. */
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
  /** Descriptions of request headers, by name. */
  headers?: Record<string, string>;
  /** Success responses by status. */
  responses: Record<number, RouteResponse>;
  /** Errors by status, where the usual description does not do. */
  faults?: Record<number, string>;
  /** For all errors but 401 and 403. */
  failure?: RouteFailure;
  /** Resolving with nothing means 204. */
  run(
    context: RouteContext<z.output<Params>, z.output<Query>, z.output<Body>, z.output<Fields>>,
  ): Promise<RouteAnswer> | Promise<void>;
}

/** Checks a route's own types where it is written, then lets routes of all types share a list. */
export function route<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, F extends z.ZodObject>(
  definition: Route<P, Q, B, F>,
): Route {
  return definition as unknown as Route;
}
