import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ requestId: string; address: string | null }>();

/**
 * Runs `work`, and whatever it starts, as part of a request: what is logged meanwhile carries the request's id, and what is
 * written to the audit log the client's address, too.
 */
export function runInRequestContext(requestId: string, work: () => void, address: string | null = null): void {
  current.run({ requestId, address }, work);
}

/** What a log line says of the request that it belongs to; nothing outside of one. */
export function requestFields(): { requestId?: string } {
  const request = current.getStore();
  return request ? { requestId: request.requestId } : {};
}

/** Which request an audit line belongs to and where that came from; null outside of one. */
export function requestOrigin(): { requestId: string | null; address: string | null } {
  return current.getStore() ?? { requestId: null, address: null };
}
