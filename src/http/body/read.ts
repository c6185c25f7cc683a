import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { RequestHandler, Response } from 'express';
import { invalid } from '../../core/shared/errors.ts';
import type { MemoryBudget } from '../../core/shared/memory-budget.ts';
import { callerOf, isOpen } from '../auth.ts';
import { HttpError } from '../errors.ts';

const ANONYMOUS = '';

/** Reads a body of at most `maxBytes` after decompression into `request.body`. It takes room until it is answered, or `releaseBody`. */
export function readBody(room: MemoryBudget, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    // Those whom nobody knows yet share one tenant's room.
    const tenantId = isOpen(response) ? ANONYMOUS : callerOf(response).tenantId;
    let size = 0;
    const letGo = () => {
      room.release(tenantId, size);
      size = 0;
    };
    const admit = (bytes: number) => {
      if (size + bytes > maxBytes) {
        throw new HttpError(413, `The body exceeds ${maxBytes} bytes. Send it in smaller parts.`);
      }
      room.reserve(tenantId, bytes);
      size += bytes;
    };
    response.locals.releaseBody = letGo;
    response.once('close', letGo);
    const chunks: Buffer[] = [];
    await receive(request, chunks, { admit, letGo });
    // Taken out: what listens to the request holds on to the chunks until it is answered.
    request.body = Buffer.concat(chunks.splice(0));
    next();
  };
}

/** Gives its room back early: nothing holds it any more. */
export function releaseBody(response: Response): void {
  (response.locals.releaseBody as (() => void) | undefined)?.();
}

interface Admission {
  /** Throws when there is too much of it. */
  admit: (bytes: number) => void;
  /** Nothing of it is held any more. */
  letGo: () => void;
}

/** Resolves with nothing, since a promise would hold it as long. */
function receive(request: IncomingMessage, chunks: Buffer[], { admit, letGo }: Admission): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      content.off('data', keep).off('end', resolve);
      chunks.length = 0;
      // At once, so that of many who are too much together some get through.
      letGo();
      if (decoder) request.unpipe(decoder).off('close', leave);
      decoder?.on('error', () => undefined).destroy();
      // The rest is read and thrown away: who is still sending would not see the answer.
      request.resume();
      finished(request, () => reject(error));
    };
    const keep = (chunk: Buffer) => {
      try {
        admit(chunk.length);
        chunks.push(chunk);
      } catch (error) {
        fail(error);
      }
    };
    const leave = () => {
      if (!request.complete) fail(invalid('body: ended before its announced length'));
    };
    const decoder = decoderOf(request.headers['content-encoding']);
    decoder?.once('error', () => fail(invalid('body: is not validly compressed')));
    const content: Readable = decoder ? request.pipe(decoder) : request;
    request.once('close', leave).on('error', () => undefined);
    content.on('data', keep).on('end', resolve);
  });
}

/**
 * What is unpacked comes in parts, each of which waits for a turn of the event loop. With the usual 16 KB, 20 MB took 1,280 turns:
 * seconds, where others keep the loop busy.
 */
const UNPACKED = { chunkSize: 128 * 1024 };

function decoderOf(encoding = 'identity'): Transform | null {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return null;
    case 'gzip':
      return createGunzip(UNPACKED);
    case 'deflate':
      return createInflate(UNPACKED);
    case 'br':
      return createBrotliDecompress(UNPACKED);
    default:
      throw new HttpError(415, 'The encoding is not supported. Send UTF-8, plain, gzip, deflate or br.');
  }
}
