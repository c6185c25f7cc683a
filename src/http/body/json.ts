import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import type { MemoryBudget } from '../../core/concurrency/memory-budget.ts';
import { invalid } from '../../core/shared/errors.ts';
import { parse } from '../../core/shared/parse.ts';
import { HttpError } from '../errors.ts';
import { readBody } from './read.ts';

const NDJSON = 'application/x-ndjson';

/** A JSON body. */
export interface RouteBody<Body extends z.ZodType = z.ZodType> {
  schema: Body;
  /** Largest body, in bytes after decompression. */
  maxBytes: number;
  /** No body is an empty object. */
  optional?: true;
  /** Accepts NDJSON as well; makes the schema's input of the lines. */
  fromLines?: (lines: unknown[]) => unknown;
}

/** Middleware: refuses other content types, then reads the body. */
export function receiveBody({ maxBytes, optional, fromLines }: RouteBody, budget: MemoryBudget): RequestHandler[] {
  const accepted = ['application/json', ...(fromLines ? [NDJSON] : [])];
  const checkType: RequestHandler = (request, _response, next) => {
    if (request.is(accepted) || (optional && isEmpty(request))) return next();
    throw new HttpError(415, `Send a body with Content-Type ${accepted.join(' or ')}.`);
  };
  return [checkType, readBody(budget, maxBytes)];
}

/**
 * The body that was read, checked against its schema. The bytes are released, since a stream may
 * follow.
 */
export function parseBody(request: Request, body: RouteBody): unknown {
  const text = decode(request.body);
  request.body = undefined;
  return parse(body.schema, jsonOf(text, request, body));
}

function jsonOf(text: string, request: Request, { optional, fromLines }: RouteBody): unknown {
  if (optional && text === '') return {};
  if (fromLines && request.is(NDJSON)) return fromLines(parseLines(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalid('body: is not valid JSON');
  }
}

function isEmpty({ headers }: Request): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0;
}

/** Invalid UTF-8 is refused: a lenient decoder would store other text than the client sent. */
function decode(body: unknown): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body instanceof Uint8Array ? body : new Uint8Array());
  } catch {
    throw invalid('body: is not valid UTF-8');
  }
}

/** One JSON value a line; undefined for an invalid line, which the service reports by its index. */
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
