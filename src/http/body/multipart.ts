import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { Upload, UploadStore } from '../../core/knowledge/uploads.ts';
import type { Services } from '../../core/services.ts';
import type { Caller } from '../../core/shared/caller.ts';
import { RuntimeError } from '../../core/shared/errors.ts';
import type { MemoryBudget } from '../../core/shared/memory-budget.ts';
import { parse } from '../../core/shared/parse.ts';
import { callerOf, isOpen } from '../auth.ts';
import { liftBodyTimeLimit } from '../deadline.ts';
import { HttpError } from '../errors.ts';
import { type DrainLimits, drain } from './drain.ts';
import { type Form, MAX_OTHER_BYTES, readForm, tooLarge } from './form.ts';

const MULTIPART = 'multipart/form-data';
const ANONYMOUS = '';
/** As for answers that nobody takes: whoever has sent nothing for so long has forgotten that they are sending. */
const STALLED_MS = 30_000;
/** Seconds: an upload that has just begun is not over after one. */
const RETRY_AFTER = 5;

/** A `multipart/form-data` body of text fields and one file, which goes to disk as it comes. */
export interface RouteMultipart<Fields extends z.ZodObject = z.ZodObject> {
  /** All text as it is sent. */
  fields: Fields;
  /** The name of the file's field. */
  file: string;
  fileDescription: string;
  /** As they are named to who sends something else. */
  formats: readonly string[];
  /** Null for what is not taken. */
  formatOf(fileName: string): string | null;
  /** Of the file. */
  maxBytes(services: Services): number;
  store(services: Services): UploadStore;
  /** Throws where nothing more would be taken, before a large file is sent for nothing. */
  admit?(services: Services, caller: Caller): Promise<void>;
}

/** What a `run` gets of such a body. The file is its own once it resolves, and removed when it rejects. */
export interface ReceivedForm<Fields> {
  fields: Fields;
  file: { name: string; upload: Upload };
}

/** Receives the body into the store. Room counts uploads, of which one tenant may have half at once. */
export function receiveUpload(
  multipart: RouteMultipart,
  services: Services,
  room: MemoryBudget,
  stalledMs = STALLED_MS,
): RequestHandler {
  return async (request, response, next) => {
    const { file, fields, store } = multipart;
    const maxFileBytes = multipart.maxBytes(services);
    checkHead(request, { file, maxFileBytes });
    await multipart.admit?.(services, callerOf(response));
    const tenantId = isOpen(response) ? ANONYMOUS : callerOf(response).tenantId;
    if (!room.tryReserve(tenantId, 1)) {
      throw new RuntimeError('unavailable', 'Too many files are being sent at once; nothing was stored. Try again.', {
        retryAfter: RETRY_AFTER,
      });
    }
    liftBodyTimeLimit(response);
    try {
      response.locals.form = await readForm(request, {
        file,
        fields: Object.keys(fields.shape),
        maxFileBytes,
        store: store(services),
        checkName: (fileName) => checkFormat(fileName, multipart),
        stalledMs,
      });
    } finally {
      room.release(tenantId, 1);
    }
    next();
  };
}

/** The received form, its fields parsed; undefined for a route without a form. */
export function uploadOf(response: Response, multipart?: RouteMultipart): ReceivedForm<Record<string, unknown>> {
  const form = response.locals.form as Form;
  return multipart ? { ...form, fields: parse(multipart.fields, form.fields) } : form;
}

/** Called when `run` has succeeded: the file is its own from then on. */
export function detachUpload(response: Response): void {
  response.locals.form = undefined;
}

/** The last of a route's handlers: of what is refused, by whomever, no file is left, and not all of it is read. */
export function discardUpload(
  { store }: RouteMultipart,
  services: Services,
  limits: Partial<DrainLimits> = {},
): ErrorRequestHandler {
  return async (error, request, response, next) => {
    const form = response.locals.form as Form | undefined;
    // What cannot be removed now is removed at the next start, and why the request was refused matters more.
    if (form)
      await store(services)
        .remove(form.file.upload.id)
        .catch(() => undefined);
    await drain(request, response, limits);
    next(error);
  };
}

/** What can be known before anything is read. */
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
