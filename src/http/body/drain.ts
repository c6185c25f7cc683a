import type { Request, Response } from 'express';

export interface DrainLimits {
  bytes: number;
  ms: number;
  /** How long the client may read a response that precedes the end of its body. */
  lingerMs: number;
}

/** A few seconds on a slow line; the whole of most bodies on a fast one. */
const LIMITS: DrainLimits = { bytes: 16 * 1024 * 1024, ms: 2_000, lingerMs: 1_000 };

/**
 * Reads and discards the rest of a refused request, since a client that is still sending may not
 * read the response. Reads only the beginning of a very long body and closes the connection shortly
 * after the response: closing with unread data resets the connection, and the reset may overtake
 * the response. Resolves when the response may be sent.
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

/** Resolves at the end of the request, or after `bytes` or `ms`. */
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
