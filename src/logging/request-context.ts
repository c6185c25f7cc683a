import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<{ requestId: string; address: string | null }>();

/** Log lines carry the id, audit entries the id and the client's address. */
export function runInRequestContext(requestId: string, work: () => void, address: string | null = null): void {
  current.run({ requestId, address }, work);
}

export function requestFields(): { requestId?: string } {
  const request = current.getStore();
  return request ? { requestId: request.requestId } : {};
}

/** Origin of an audit entry; null outside a request. */
export function requestOrigin(): { requestId: string | null; address: string | null } {
  return current.getStore() ?? { requestId: null, address: null };
}
