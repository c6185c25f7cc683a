import type { Request, Response } from 'express';

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
