import type { Response } from 'express';

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
