import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import type { MemoryBudget } from '../../core/base/concurrency/memory-budget.ts';
import { invalid } from '../../core/base/shared/errors.ts';
import { requestTenantId } from '../auth.ts';
import { HttpError } from '../errors.ts';

/** The bytes count against the budget until the response closes or `releaseBody` is called. */
export function bufferBody(budget: MemoryBudget, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    const tenantId = requestTenantId(response);
    let size = 0;
    const release = () => {
      budget.release(tenantId, size);
      size = 0;
    };
    const reserve = (bytes: number) => {
      if (size + bytes > maxBytes) {
        throw new HttpError(413, `The body exceeds ${maxBytes} bytes. Send it in smaller parts.`);
      }
      budget.reserve(tenantId, bytes);
      size += bytes;
    };
    response.locals.releaseBody = release;
    response.once('close', release);
    const chunks: Buffer[] = [];
    await receive(request, chunks, { reserve, release });
    // Empties `chunks`, because the request's listeners hold them until the response is sent.
    request.body = Buffer.concat(chunks.splice(0));
    next();
  };
}

export function releaseBody(response: Response): void {
  (response.locals.releaseBody as (() => void) | undefined)?.();
}

interface Reservation {
  /** Throws if the body exceeds its limit or the budget. */
  reserve: (bytes: number) => void;
  release: () => void;
}

/** Resolves without the body, since the promise would hold it in memory. */
function receive(request: IncomingMessage, chunks: Buffer[], { reserve, release }: Reservation): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      content.off('data', append).off('end', resolve);
      chunks.length = 0;
      // At once, so that some of many concurrent large bodies succeed.
      release();
      if (decompressor) request.unpipe(decompressor).off('close', onClose);
      decompressor?.on('error', () => undefined).destroy();
      // A client that still sends would not read the response.
      request.resume();
      finished(request, () => reject(error));
    };
    const append = (chunk: Buffer) => {
      try {
        reserve(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const onClose = () => {
      if (!request.complete) fail(invalid('body: ended before its announced length'));
    };
    const decompressor = decompressorOf(request.headers['content-encoding']);
    decompressor?.once('error', () => fail(invalid('body: is not validly compressed')));
    const content: Readable = decompressor ? request.pipe(decompressor) : request;
    request.once('close', onClose).on('error', () => undefined);
    content.on('data', append).on('end', resolve);
  });
}

/** Larger than Node's 16 KB, because each chunk waits for the event loop. */
const DECOMPRESS = { chunkSize: 128 * 1024 };

function decompressorOf(encoding = 'identity'): Transform | null {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return null;
    case 'gzip':
      return createGunzip(DECOMPRESS);
    case 'deflate':
      return createInflate(DECOMPRESS);
    case 'br':
      return createBrotliDecompress(DECOMPRESS);
    default:
      throw new HttpError(415, 'The encoding is not supported. Send UTF-8, plain, gzip, deflate or br.');
  }
}
