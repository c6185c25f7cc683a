import type { Request, RequestHandler } from 'express';
import type { z } from 'zod';
import type { MemoryBudget } from '../../core/base/concurrency/memory-budget.ts';
import { TimeSlices } from '../../core/base/concurrency/time-slices.ts';
import { invalid, RuntimeError } from '../../core/base/shared/errors.ts';
import { parse } from '../../core/base/shared/parse.ts';
import { HttpError } from '../errors.ts';
import { parseInSlices } from './parse-in-slices.ts';
import { bufferBody } from './read.ts';

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
  return [checkType, bufferBody(budget, maxBytes)];
}

/** Releases the bytes, since a stream may follow. */
export async function parseBody(request: Request, body: RouteBody): Promise<unknown> {
  const text = decode(request.body);
  request.body = undefined;
  return parse(body.schema, await jsonOf(text, request, body));
}

async function jsonOf(text: string, request: Request, { optional, fromLines }: RouteBody): Promise<unknown> {
  if (optional && text === '') return {};
  if (fromLines && request.is(NDJSON)) return fromLines(await parseLines(text));
  try {
    return await parseInSlices(text);
  } catch (error) {
    if (error instanceof RuntimeError) throw error;
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
async function parseLines(text: string): Promise<unknown[]> {
  const slices = new TimeSlices();
  const parsed: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    parsed.push(await parseInSlices(line).catch(() => undefined));
    if (slices.isOver) await slices.pause();
  }
  return parsed;
}
