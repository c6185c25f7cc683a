import { AsyncLocalStorage } from 'node:async_hooks';

interface RequestContext {
  requestId: string;
  address: string | null;
  /** Answers the request with an error, if it is not answered. */
  fail: (error: unknown) => void;
}

const current = new AsyncLocalStorage<RequestContext>();

/** Log lines carry the id, audit entries the id and the client's address. */
export function runInRequestContext(
  requestId: string,
  work: () => void,
  { address = null, fail = () => undefined }: Partial<RequestContext> = {},
): void {
  current.run({ requestId, address, fail }, work);
}

/**
 * For an exception in a handler or a timer of the current request, if there is one: its client is
 * told.
 */
export function failRequest(error: unknown): void {
  current.getStore()?.fail(error);
}

export function requestFields(): { requestId?: string } {
  const request = current.getStore();
  return request ? { requestId: request.requestId } : {};
}

/** Origin of an audit entry; null outside a request. */
export function requestOrigin(): { requestId: string | null; address: string | null } {
  return current.getStore() ?? { requestId: null, address: null };
}
