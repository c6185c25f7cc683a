import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import type { MemoryBudget } from '../../core/concurrency/memory-budget.ts';
import { invalid } from '../../core/shared/errors.ts';
import { parse } from '../../core/shared/parse.ts';
import { HttpError } from '../errors.ts';
import { readBody } from './read.ts';

const NDJSON = 'application/x-ndjson';

export interface RouteBody<Body extends z.ZodType = z.ZodType> {
  schema: Body;
  /** After decompression. */
  maxBytes: number;
  optional?: true;
  /** Makes the schema's input from NDJSON lines. */
  fromLines?: (lines: unknown[]) => unknown;
}

export function receiveBody({ maxBytes, optional, fromLines }: RouteBody, budget: MemoryBudget): RequestHandler[] {
  const accepted = ['application/json', ...(fromLines ? [NDJSON] : [])];
  const checkType: RequestHandler = (request, _response, next) => {
    if (request.is(accepted) || (optional && isEmpty(request))) return next();
    throw new HttpError(415, `Send a body with Content-Type ${accepted.join(' or ')}.`);
  };
  return [checkType, readBody(budget, maxBytes)];
}

/** Releases the bytes, since a stream may follow. */
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

/** A lenient decoder would store different text than the client sent. */
function decode(body: unknown): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body instanceof Uint8Array ? body : new Uint8Array());
  } catch {
    throw invalid('body: is not valid UTF-8');
  }
}

/** Undefined for an invalid line, which the service reports by its index. */
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
