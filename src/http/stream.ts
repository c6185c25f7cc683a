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
  try {
    const response = begin().type(contentType);
    const isHead = response.req.method === 'HEAD';
    try {
      while (!part.done && !signal.aborted && !isHead) {
        if (!response.write(part.value)) await waitForDrain(response, signal, stalledMs);
        part = await chunks.next();
      }
    } catch (error) {
      await flushAndReset(response, stalledMs);
      throw error;
    }
    if (!signal.aborted) response.end();
  } finally {
    await chunks.return(undefined);
  }
}

/** Whoever takes nothing any more loses the connection: the server closes sockets whose time is over. */
async function waitForDrain(response: Response, signal: AbortSignal, stalledMs: number): Promise<void> {
  // Of the socket, since it also sees that a part of a large part was taken.
  response.socket?.setTimeout(stalledMs);
  // Who leaves while much is on its way is not waited for.
  await once(response, 'drain', { signal }).catch(() => undefined);
  response.socket?.setTimeout(0);
}

/** What came before a failure is sent before the connection is broken off. */
async function flushAndReset({ socket, req }: Response, stalledMs: number): Promise<void> {
  if (!socket || socket.destroyed) return;
  socket.setTimeout(stalledMs);
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  // In HTTP/1.0 the end of the connection is that of the answer: without a reset it would seem whole.
  if (req.httpVersion === '1.0') socket.resetAndDestroy();
}
