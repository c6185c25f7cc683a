import { once } from 'node:events';
import type { Response } from 'express';

/** Text that is sent as it comes, at the pace at which it is taken. */
export interface RouteStream {
  contentType: string;
  chunks: AsyncGenerator<string>;
}

/** Whoever has taken nothing for so long has forgotten that they asked. */
const STALLED_MS = 30_000;

/**
 * Sends a stream and ends it. The first part is awaited before `begin` sends the head, so that a failure until then has its own
 * status. Of `signal` it hears that the client has left.
 */
export async function sendStream(
  begin: () => Response,
  { contentType, chunks }: RouteStream,
  signal: AbortSignal,
  stalledMs = STALLED_MS,
): Promise<void> {
  let part = await chunks.next();
  const response = begin().type(contentType);
  const isHead = response.req.method === 'HEAD';
  try {
    while (!part.done && !signal.aborted && !isHead) {
      if (!response.write(part.value)) await taken(response, signal, stalledMs);
      part = await chunks.next();
    }
  } catch (error) {
    await written(response, AbortSignal.any([signal, AbortSignal.timeout(stalledMs)]));
    throw error;
  }
  await chunks.return(undefined);
  if (!signal.aborted) response.end();
}

/** What came before a failure is sent before the connection is broken off. */
async function written({ socket }: Response, signal: AbortSignal): Promise<void> {
  if (!socket || socket.destroyed || signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
    socket.write('', () => resolve());
  });
}

/** Who leaves while much is on its way is not waited for, nor who takes nothing any more. */
async function taken(response: Response, signal: AbortSignal, stalledMs: number): Promise<void> {
  const stalled = AbortSignal.timeout(stalledMs);
  await once(response, 'drain', { signal: AbortSignal.any([signal, stalled]) }).catch(() => {
    if (!response.destroyed) response.destroy();
  });
}
