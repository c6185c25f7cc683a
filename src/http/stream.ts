import { once } from 'node:events';
import type { Response } from 'express';

/** Streamed text, with backpressure. */
export interface RouteStream {
  contentType: string;
  chunks: AsyncGenerator<string>;
}

/** A client that reads nothing for so long is disconnected. */
const STALLED_MS = 30_000;

/**
 * Sends a stream and ends it. Waits for the first chunk before `begin` sends the head, so that a
 * failure until then has its own status. `signal` aborts when the client disconnects.
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

/** Backpressure: waits until the client reads; the server closes sockets that time out. */
async function waitForDrain(response: Response, signal: AbortSignal, stalledMs: number): Promise<void> {
  // On the socket, which also notices progress within a large chunk.
  response.socket?.setTimeout(stalledMs);
  // Aborted if the client disconnects.
  await once(response, 'drain', { signal }).catch(() => undefined);
  response.socket?.setTimeout(0);
}

/** Sends what preceded a failure, then breaks the connection off. */
async function flushAndReset({ socket, req }: Response, stalledMs: number): Promise<void> {
  if (!socket || socket.destroyed) return;
  socket.setTimeout(stalledMs);
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  // In HTTP/1.0 a closed connection ends the response; only a reset shows that it is incomplete.
  if (req.httpVersion === '1.0') socket.resetAndDestroy();
}
