import type { Request, Response } from 'express';

export interface DrainLimits {
  bytes: number;
  ms: number;
  /** How long an answer that came before the end of the body may be read. */
  lingerMs: number;
}

/** Seconds of a slow line, and on a fast one all of what is not worth breaking off. */
const LIMITS: DrainLimits = { bytes: 16 * 1024 * 1024, ms: 2_000, lingerMs: 1_000 };

/**
 * Reads what is still to come of a request that is refused, and throws it away: who is still sending might not see the answer.
 * Of very much it reads only the beginning; the connection is closed a little after the answer, since closing with unread data
 * resets it, which may overtake the answer. Resolves when the answer may be given.
 */
export async function drain(request: Request, response: Response, limits: Partial<DrainLimits> = {}): Promise<void> {
  const { bytes, ms, lingerMs } = { ...LIMITS, ...limits };
  const read = readOn(request, bytes, ms).then(() => {
    if (request.readableEnded || request.destroyed) return;
    // Or Node.js would close it with the answer.
    response.shouldKeepAlive = true;
    const close = () => {
      const timer = setTimeout(() => request.destroy(), lingerMs);
      request.once('close', () => clearTimeout(timer));
    };
    if (response.writableFinished) close();
    else response.once('finish', close);
  });
  // Where the answer ends the connection, all that is read must be read before it.
  if (!response.shouldKeepAlive) await read;
}

/** Until the end, or until so much was read or time has passed. */
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
