import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { FairLimiter } from '../../core/base/concurrency/fair-limiter.ts';
import type { Timers } from '../../core/base/concurrency/timers.ts';
import type { Caller } from '../../core/base/shared/caller.ts';
import { parse } from '../../core/base/shared/parse.ts';
import type { Upload, UploadStore } from '../../core/knowledge/uploads.ts';
import type { Services } from '../../core/services.ts';
import { requestCaller, requestTenantId } from '../auth.ts';
import { disconnectSignal, liftBodyTimeLimit } from '../deadline.ts';
import { HttpError } from '../errors.ts';
import { type FormContent, MAX_OTHER_BYTES, readForm, tooLarge } from './form.ts';

export interface DrainLimits {
  bytes: number;
  ms: number;
  /** How long the client may read a response that precedes the end of its body. */
  lingerMs: number;
}

const LIMITS: DrainLimits = { bytes: 16 * 1024 * 1024, ms: 2_000, lingerMs: 1_000 };

/**
 * A client that still sends may not read the response, and a reset may overtake it: discards the
 * rest up to the limits, then closes the connection late. Resolves when the response may be sent.
 */
export async function drain(request: Request, response: Response, limits: Partial<DrainLimits> = {}): Promise<void> {
  const { bytes, ms, lingerMs } = { ...LIMITS, ...limits };
  const read = readOn(request, bytes, ms).then(() => {
    if (request.readableEnded || request.destroyed) return;
    // Otherwise Node.js closes the connection together with the response.
    response.shouldKeepAlive = true;
    const close = () => {
      const timer = setTimeout(() => request.destroy(), lingerMs);
      request.once('close', () => clearTimeout(timer));
    };
    if (response.writableFinished) close();
    else response.once('finish', close);
  });
  // A response that closes the connection must come after the read.
  if (!response.shouldKeepAlive) await read;
}

function readOn(request: Request, bytes: number, ms: number): Promise<void> {
  return new Promise((resolve) => {
    if (request.readableEnded || request.destroyed) return resolve();
    let left = bytes;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', count).off('end', stop).off('close', stop).pause();
      resolve();
    };
    const count = (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) stop();
    };
    const timer = setTimeout(stop, ms);
    request
      .on('error', () => undefined)
      .on('data', count)
      .once('end', stop)
      .once('close', stop)
      .resume();
  });
}

const MULTIPART = 'multipart/form-data';
const STALLED_MS = 30_000;

export interface RouteMultipart<Fields extends z.ZodObject = z.ZodObject> {
  fields: Fields;
  file: string;
  fileDescription: string;
  formats: readonly string[];
  /** Null for an unsupported file. */
  formatOf(fileName: string): string | null;
  /** Names of sent fields that do not count with such a file: they are not checked. */
  ignored?(fields: Record<string, string>, fileName: string): string[];
  maxBytes(services: Services): number;
  store(services: Services): UploadStore;
  /** Throws before the client sends a large file that would be refused. */
  admit?(services: Services, caller: Caller): Promise<void>;
}

/** `run` owns the file once it resolves. If `run` rejects, the file is removed. */
export interface ReceivedForm<Fields> {
  fields: Fields;
  file: { name: string; upload: Upload };
  ignored: string[];
}

export interface Receiving {
  slots: FairLimiter;
  /** Aborted at the start of a graceful shutdown, with the error for uploads that wait. */
  begun: AbortSignal;
  stalledMs?: number;
  timers?: Timers;
}

/** Without a slot an upload waits: its body is not read, so the client is held back by TCP. */
export function receiveUpload(
  multipart: RouteMultipart,
  services: Services,
  { slots, begun, stalledMs = STALLED_MS, timers }: Receiving,
): RequestHandler {
  return async (request, response, next) => {
    const { file, fields, store } = multipart;
    const maxFileBytes = multipart.maxBytes(services);
    checkHead(request, { file, maxFileBytes });
    liftBodyTimeLimit(response);
    const leaving = AbortSignal.any([disconnectSignal(response, begun), begun]);
    const receive = async () => {
      await multipart.admit?.(services, requestCaller(response));
      leaving.throwIfAborted();
      response.locals.form = await readForm(request, {
        file,
        fields: Object.keys(fields.shape),
        maxFileBytes,
        store: store(services),
        checkName: (fileName) => checkFormat(fileName, multipart),
        stalledMs,
        timers,
      });
    };
    await slots.run(requestTenantId(response), receive, leaving);
    next();
  };
}

export function uploadOf(response: Response, multipart?: RouteMultipart): ReceivedForm<Record<string, unknown>> {
  const form = response.locals.form as FormContent;
  if (!multipart) return { ...form, ignored: [] };
  const ignored = multipart.ignored?.(form.fields, form.file.name) ?? [];
  const counting = Object.entries(form.fields).filter(([name]) => !ignored.includes(name));
  return { ...form, fields: parse(multipart.fields, Object.fromEntries(counting), { text: true }), ignored };
}

export function detachUpload(response: Response): void {
  response.locals.form = undefined;
}

/** Error middleware: removes the file of a failed request and drains the body. */
export function discardUpload(
  { store }: RouteMultipart,
  services: Services,
  limits: Partial<DrainLimits> = {},
): ErrorRequestHandler {
  return async (error, request, response, next) => {
    const form = response.locals.form as FormContent | undefined;
    // If this fails, the next start removes the file.
    if (form)
      await store(services)
        .remove(form.file.upload.id)
        .catch(() => undefined);
    await drain(request, response, limits);
    next(error);
  };
}

function checkHead(request: Request, limit: { file: string; maxFileBytes: number }): void {
  if (!request.is(MULTIPART)) throw new HttpError(415, `Send a body with Content-Type ${MULTIPART}.`);
  const encoding = request.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, `Content-Encoding ${encoding} is not taken here. Send the body as it is.`);
  }
  if (Number(request.get('content-length') ?? 0) > limit.maxFileBytes + MAX_OTHER_BYTES) throw tooLarge(limit);
}

function checkFormat(fileName: string, { file, formats, formatOf }: RouteMultipart): void {
  if (formatOf(fileName) !== null) return;
  throw new HttpError(
    415,
    `${file}: ${JSON.stringify(fileName)} has no extension that can be read. Send ${formats.join(', ')}.`,
  );
}
