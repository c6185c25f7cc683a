import type { Server, ServerResponse } from 'node:http';
import { setImmediate as nextTick } from 'node:timers/promises';
import { PeriodicTask } from '../core/base/concurrency/timers.ts';
import type { OwnedServer } from './owner.ts';

/**
 * Graceful shutdown: refuses requests that wait, drains the others for `drainMs`, then aborts them.
 */
export async function closeServer(
  server: Server,
  drainMs: number,
  { refuseWaiting, abortRequests }: Pick<OwnedServer, 'refuseWaiting' | 'abortRequests'> = {},
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Otherwise a busy keep-alive connection delays the shutdown until `drainMs`.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('connection', 'close'));
  const sweeping = new PeriodicTask({ everyMs: 50, run: () => server.closeIdleConnections() });
  server.closeIdleConnections();
  refuseWaiting?.();
  const timer = setTimeout(() => {
    abortRequests?.();
    server.closeAllConnections();
  }, drainMs);
  await closed;
  void sweeping.close();
  clearTimeout(timer);
  // Requests see their connection close later and still need the stores.
  await nextTick();
}
