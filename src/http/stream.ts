import { once } from 'node:events';
import type { Response } from 'express';

export interface RouteStream {
  contentType: string;
  chunks: AsyncGenerator<string | Uint8Array>;
}

/** A client that reads nothing for so long is disconnected. */
const STALLED_MS = 30_000;

/** Sends the head with the first chunk, so that an earlier failure has its own status. */
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

/** The server closes sockets that time out. */
async function waitForDrain(response: Response, signal: AbortSignal, stalledMs: number): Promise<void> {
  // The socket's timeout also notices progress within a large chunk.
  response.socket?.setTimeout(stalledMs);
  await once(response, 'drain', { signal }).catch(() => undefined);
  response.socket?.setTimeout(0);
}

/** Sends what preceded a failure, then breaks the connection. */
async function flushAndReset({ socket, req }: Response, stalledMs: number): Promise<void> {
  if (!socket || socket.destroyed) return;
  socket.setTimeout(stalledMs);
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  // In HTTP/1.0 only a reset shows that the response is incomplete.
  if (req.httpVersion === '1.0') socket.resetAndDestroy();
}
