import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ requestId: string }>();

/** Runs `work`, and whatever it starts, as part of a request: what is logged meanwhile carries the request's id. */
export function asRequest(requestId: string, work: () => void): void {
  current.run({ requestId }, work);
}

/** What a log line says of the request that it belongs to; nothing outside of one. */
export function requestFields(): { requestId?: string } {
  return current.getStore() ?? {};
}
