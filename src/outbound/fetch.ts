import { Readable } from 'node:stream';
import { type Dispatcher, Headers as UndiciHeaders, fetch as undiciFetch } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { firstBytes } from './error-body.ts';
import { LargeBody } from './large-body.ts';
import { NodeResponse } from './response.ts';

export { bodyOf } from './response.ts';

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * A `fetch` for the SDKs of OpenAI, Anthropic and Groq, which take theirs as an option. What it resolves with is a
 * StreamingResponse, so a stream costs no web stream on its way: ask the SDK for `asResponse()` and read `bodyOf` it.
 *
 * Redirects are handed back as they are, bodies are not decompressed and none is asked for compressed. The body of a
 * response other than 2xx has been read already, as far as an error needs it. Rejects with undici's error, with a
 * BlockedAddress, or with the signal's reason, also while it still connects. Sends text and bytes, nothing else.
 */
export function streamingFetch(policy: NetworkPolicy, { dispatcherFor } = dispatchers): Fetch {
  return async (input, init = {}) => {
    const url = addressOf(input);
    const signal = init.signal ?? undefined;
    const sent = requestBody(init.body);
    const answer = await send(dispatcherFor(policy), {
      origin: url.origin,
      path: url.pathname + url.search,
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: requestHeaders(init.headers, sent),
      // undici takes what can be iterated, too, which its types leave out.
      body: sent as string | Uint8Array | null,
      signal,
    });
    // Who leaves a stream destroys it, and that must not be an error that nobody listens for.
    answer.body.on('error', ignore);
    const { statusCode: status, statusText } = answer;
    const body = status >= 200 && status < 300 ? answer.body : Readable.from(await firstBytes(answer.body, signal));
    const headers = responseHeaders(answer.headers);
    return new NodeResponse({ status, statusText, url: url.href, headers, body }) as unknown as Response;
  };
}

/**
 * A `fetch` as the web has it, for @google/genai (`httpOptions.fetch`) and for small things. Follows no redirect unless
 * `redirect` says so, and asks for nothing compressed unless `accept-encoding` says so.
 */
export function guardedFetch(policy: NetworkPolicy, { dispatcherFor } = dispatchers): Fetch {
  return async (input, init = {}) => {
    const headers = new UndiciHeaders(init.headers as UndiciHeaders);
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    const request = { redirect: 'error', ...init, headers, dispatcher: dispatcherFor(policy) };
    // The same interfaces, declared once by undici and once by Node.js.
    return (await undiciFetch(addressOf(input), request as object)) as unknown as Response;
  };
}

/** The SDKs name an address. A Request, which brings more than that, is refused by what becomes of it as text. */
function addressOf(input: string | URL | Request): URL {
  return input instanceof URL ? input : new URL(String(input));
}

/** Sends a request. undici itself hears of an abort only once it is connected. */
function send(dispatcher: Dispatcher, request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData> {
  const signal = request.signal as AbortSignal | undefined;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => reject(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    dispatcher.request(request, (error, answer) => {
      signal?.removeEventListener('abort', giveUp);
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

/** Names and values in turn, which undici takes as they are. */
function requestHeaders(given: RequestInit['headers'], sent: RequestBody): string[] {
  const list = ['accept-encoding', 'identity'];
  for (const [name, value] of given instanceof Headers ? given : new Headers(given)) {
    if (name !== 'accept-encoding') list.push(name, value);
  }
  if (sent instanceof LargeBody) list.push('content-length', String(sent.length));
  return list;
}

/** Bytes, or characters, of which it matters how long they are held. */
const LARGE = 64 * 1024;

type RequestBody = string | Uint8Array | LargeBody | null;

function requestBody(body: RequestInit['body']): RequestBody {
  if (body === undefined || body === null) return null;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('streamingFetch sends text and bytes only');
  }
  return body.length > LARGE ? new LargeBody(body) : body;
}

function responseHeaders(given: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const name in given) {
    const value = given[name];
    if (typeof value === 'string') headers.append(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

function ignore(): void {}
