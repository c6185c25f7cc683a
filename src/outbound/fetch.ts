import type { IncomingHttpHeaders } from 'node:http';
import { arrayBuffer, json, text } from 'node:stream/consumers';
import { Headers as UndiciHeaders, fetch as undiciFetch } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { streamingRequest } from './request.ts';
import { ResponseBody } from './response-body.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** For SDKs that take a `fetch`. Read the body with `bodyOf`. Sends only text and bytes. */
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

/** For small responses, behind the SSRF guard. Rejects redirects unless `redirect` allows them. */
export function guardedFetch(policy: NetworkPolicy, { dispatcherFor } = dispatchers): Fetch {
  return async (input, init = {}) => {
    const headers = new UndiciHeaders(init.headers as UndiciHeaders);
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    const request = { redirect: 'error', ...init, headers, dispatcher: dispatcherFor(policy) };
    // undici and Node declare the same interfaces.
    return (await undiciFetch(addressOf(input), request as object)) as unknown as Response;
  };
}

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

type Parts = Pick<StreamingResponse, 'status' | 'statusText' | 'url' | 'headers' | 'body'>;

/** The members of `Response` that the vendors' SDKs use. The body is not a web stream. */
export class StreamingResponse {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: ResponseBody;

  constructor({ status, statusText, url, headers, body }: Parts) {
    this.status = status;
    this.statusText = statusText;
    this.url = url;
    this.headers = headers;
    this.body = body;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  text(): Promise<string> {
    return text(this.body);
  }

  json(): Promise<unknown> {
    return json(this.body);
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return arrayBuffer(this.body);
  }
}

export function bodyOf(response: Response): ResponseBody {
  const body: unknown = response.body;
  if (body instanceof ResponseBody) return body;
  throw new TypeError('bodyOf takes a response of streamingFetch');
}
