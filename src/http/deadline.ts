import type { RequestHandler, Response } from 'express';

/** As long as Node.js by itself lets a request take. */
const BODY_MS = 300_000;

/**
 * Ends requests whose bodies take too long to come, for servers whose `requestTimeout` is 0. That one knows no exceptions,
 * and a file of gigabytes takes as long as its line needs.
 */
export function limitBodyTime(bodyMs = BODY_MS): RequestHandler {
  return (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (coding !== undefined || Number(length ?? 0) > 0) {
      const timer = setTimeout(() => request.destroy(), bodyMs);
      const lift = () => clearTimeout(timer);
      request.once('close', lift);
      response.locals.liftDeadline = lift;
    }
    next();
  };
}

/** The body may take its time: whoever reads it sees to it that it does come. */
export function liftBodyTimeLimit(response: Response): void {
  (response.locals.liftDeadline as (() => void) | undefined)?.();
}
