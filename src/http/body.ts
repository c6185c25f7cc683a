import type { IncomingMessage } from 'node:http';
import { finished, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { RequestHandler } from 'express';
import { invalid } from '../core/errors.ts';
import type { Room } from '../core/room.ts';
import { callerOf, isOpen } from './auth.ts';
import { HttpError } from './errors.ts';

const STRANGERS = '';

/** Reads a body of at most `maxBytes` after decompression into `request.body`. It takes room until it is answered. */
export function readBody(room: Room, maxBytes: number): RequestHandler {
  return async (request, response, next) => {
    // Those whom nobody knows yet share one tenant's room.
    const tenantId = isOpen(response) ? STRANGERS : callerOf(response).tenantId;
    let size = 0;
    const letGo = () => {
      room.give(tenantId, size);
      size = 0;
    };
    const admit = (bytes: number) => {
      if (size + bytes > maxBytes) {
        throw new HttpError(413, `The body exceeds ${maxBytes} bytes. Send it in smaller parts.`);
      }
      room.take(tenantId, bytes);
      size += bytes;
    };
    response.once('close', letGo);
    request.body = await contentOf(request, { admit, letGo });
    next();
  };
}

interface Admission {
  /** Throws when there is too much of it. */
  admit: (bytes: number) => void;
  /** Nothing of it is held any more. */
  letGo: () => void;
}

function contentOf(request: IncomingMessage, { admit, letGo }: Admission): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const fail = (error: unknown) => {
      content.off('data', keep).off('end', end);
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
    const end = () => resolve(Buffer.concat(chunks));
    const leave = () => {
      if (!request.complete) fail(invalid('body: ended before its announced length'));
    };
    const decoder = decoderOf(request.headers['content-encoding']);
    decoder?.once('error', () => fail(invalid('body: is not validly compressed')));
    const content: Readable = decoder ? request.pipe(decoder) : request;
    request.once('close', leave).on('error', () => undefined);
    content.on('data', keep).on('end', end);
  });
}

function decoderOf(encoding = 'identity'): Transform | null {
  switch (encoding.toLowerCase()) {
    case 'identity':
      return null;
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new HttpError(415, 'The encoding is not supported. Send UTF-8, plain, gzip, deflate or br.');
  }
}
