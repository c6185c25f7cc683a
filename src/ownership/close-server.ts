import type { Server, ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';

/** Graceful shutdown: drains requests for `drainMs`, then aborts them. */
export async function closeServer(
  server: Server,
  drainMs: number,
  abortRequests: () => void = () => undefined,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Otherwise a busy keep-alive connection delays the shutdown until `drainMs`.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'));
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  server.closeIdleConnections();
  const timer = setTimeout(() => {
    abortRequests();
    server.closeAllConnections();
  }, drainMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(timer);
  // Requests see their connection close later and still need the stores.
  await nextTick();
}
