import type { IncomingHttpHeaders } from 'node:http';
import { Headers as UndiciHeaders, fetch as undiciFetch } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { streamingRequest } from './request.ts';
import { StreamingResponse } from './response.ts';

export { bodyOf } from './response.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for SDKs that take one (@google/genai), over `streamingRequest`. Resolves with a
 * StreamingResponse, whose body is no web stream: read `bodyOf` it. Asks for no compression. Sends
 * only text and bytes.
 */
export function streamingFetch(policy: NetworkPolicy, connections = dispatchers): Fetch {
  return async (input, init = {}) => {
    const url = addressOf(input);
    const request = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: init.method ?? 'GET',
      headers: requestHeaders(init.headers),
      body: requestBody(init.body),
      signal: init.signal ?? undefined,
    };
    const { headers, ...answer } = await streamingRequest(policy, request, connections);
    return new StreamingResponse({ ...answer, url: url.href, headers: webHeaders(headers) }) as unknown as Response;
  };
}

/**
 * A web `fetch` behind the SSRF guard, for small responses that are read as a whole. Rejects on a
 * redirect unless `redirect` allows it, and asks for no compression unless `accept-encoding` is
 * set.
 */
export function guardedFetch(policy: NetworkPolicy, { dispatcherFor } = dispatchers): Fetch {
  return async (input, init = {}) => {
    const headers = new UndiciHeaders(init.headers as UndiciHeaders);
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    const request = { redirect: 'error', ...init, headers, dispatcher: dispatcherFor(policy) };
    // The same interfaces, declared by both undici and Node.
    return (await undiciFetch(addressOf(input), request as object)) as unknown as Response;
  };
}

/** SDKs pass an address. A Request turns into text that is no URL and is refused. */
function addressOf(input: string | URL | Request): URL {
  return input instanceof URL ? input : new URL(String(input));
}

/** Names and values alternate. Asks for no compression. */
export function requestHeaders(given: RequestInit['headers']): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const [name, value] of given instanceof Headers ? given : new Headers(given)) {
    if (name !== 'accept-encoding') list.push(name, value);
  }
  return list;
}

function requestBody(body: RequestInit['body']): string | Uint8Array | null {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new TypeError('streamingFetch sends text and bytes only');
}

export function webHeaders(given: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const name in given) {
    const value = given[name];
    if (typeof value === 'string') headers.append(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}
