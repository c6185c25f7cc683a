import type { RequestHandler, Response } from 'express';

/** The default of Node.js. */
const BODY_MS = 300_000;

/** Replaces the server's `requestTimeout` (set it to 0), which cannot except large uploads. */
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

/** Uploads must make progress instead. */
export function liftBodyTimeLimit(response: Response): void {
  (response.locals.liftDeadline as (() => void) | undefined)?.();
}

/** Aborted when the client disconnects, with the reason of `stopping` at a shutdown. */
export function disconnectSignal(response: Response, stopping: AbortSignal): AbortSignal {
  // 'close' has already fired if the client disconnected during authentication.
  if (response.destroyed) return AbortSignal.abort();
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort(stopping.reason);
  });
  return controller.signal;
}
