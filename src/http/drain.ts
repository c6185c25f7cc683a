import type { Request, Response } from 'express';

export interface DrainLimits {
  bytes: number;
  ms: number;
  /** How long an answer that came before the end of the body may be read. */
  lingerMs: number;
}

/** Some seconds of a slow line, and all of what is not worth breaking off on a fast one. */
const LIMITS: DrainLimits = { bytes: 16 * 1024 * 1024, ms: 2_000, lingerMs: 1_000 };

/**
 * Reads what is still to come of a request that is refused, and throws it away: who is still sending would not see the answer.
 * Of very much it reads only the beginning. Then the answer is given all the same, and the connection closed a little later,
 * since a connection that is closed with unread data is reset, which may overtake the answer.
 */
export async function drain(request: Request, response: Response, limits: Partial<DrainLimits> = {}): Promise<void> {
  const { bytes, ms, lingerMs } = { ...LIMITS, ...limits };
  if (request.destroyed) return;
  await readOn(request, bytes, ms);
  if (request.readableEnded || request.destroyed) return;
  response.once('finish', () => {
    const timer = setTimeout(() => request.destroy(), lingerMs);
    request.once('close', () => clearTimeout(timer));
  });
}

/** Until the end, or until so much was read or time has passed. */
function readOn(request: Request, bytes: number, ms: number): Promise<void> {
  return new Promise((resolve) => {
    let left = bytes;
    const stop = () => {
      clearTimeout(timer);
      request.off('data', count).off('close', stop).pause();
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
      .once('close', stop)
      .resume();
  });
}
