import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { ResponseBody } from './response-body.ts';

export interface OutgoingRequest {
  origin: string;
  /** Includes the query. */
  path: string;
  method: string;
  /** Names and values alternate. */
  headers: string[];
  body: string | Uint8Array | null;
  signal: AbortSignal | undefined;
}

export interface UpstreamResponse {
  status: number;
  statusText: string;
  /** Names are in lower case. */
  headers: IncomingHttpHeaders;
  body: ResponseBody;
}

/** Rejects with undici's error, a BlockedAddress or the signal's reason. Follows no redirects. */
export async function streamingRequest(
  policy: NetworkPolicy,
  request: OutgoingRequest,
  { dispatcherFor } = dispatchers,
): Promise<UpstreamResponse> {
  const answer = await openRequest(dispatcherFor(policy), request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  return { ...answer, body: ResponseBody.of(await firstBytes(answer.body, request.signal)) };
}

/** `onWrite` is called just before the request is written. */
export function openRequest(
  dispatcher: Dispatcher,
  request: OutgoingRequest,
  onWrite: () => void = ignore,
): Promise<UpstreamResponse> {
  const { signal } = request;
  return new Promise<UpstreamResponse>((resolve, reject) => {
    signal?.throwIfAborted();
    dispatcher.dispatch(dispatchOptions(request), new Receiver({ resolve, reject, signal, onWrite }));
  });
}

/** Not an inline default: its closure would hold the request during the response. */
function ignore(): void {}

/** Bytes or characters above which a body is dropped once it was sent. */
const LARGE = 64 * 1024;

function dispatchOptions({ origin, path, method, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  if (body === null || body.length <= LARGE) return { origin, path, method, headers, body };
  const large = new OneShotBody(body);
  const sized = [...headers, 'content-length', String(large.length)];
  // undici accepts iterables, though its types omit them.
  return { origin, path, method, headers: sized, body: large as unknown as Uint8Array };
}

interface Listener {
  resolve(answer: UpstreamResponse): void;
  reject(reason: unknown): void;
  signal: AbortSignal | undefined;
  onWrite(): void;
}

class Receiver implements Dispatcher.DispatchHandler {
  private readonly listener: Listener;
  private readonly signal: AbortSignal | undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private body: ResponseBody | null = null;
  private readonly onAbort = () => this.abort(this.signal?.reason);

  constructor(listener: Listener) {
    this.listener = listener;
    this.signal = listener.signal;
    this.signal?.addEventListener('abort', this.onAbort, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The signal may have been aborted while connecting.
    if (this.signal?.aborted) {
      controller.abort(this.signal.reason);
      return;
    }
    this.controller = controller;
    this.listener.onWrite();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText = '',
  ): void {
    // An informational response precedes the final one.
    if (status < 200) return;
    this.body = new ResponseBody(controller);
    this.listener.resolve({ status, statusText, headers, body: this.body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body?.push(chunk);
  }

  onResponseEnd(): void {
    this.signal?.removeEventListener('abort', this.onAbort);
    this.body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.signal?.removeEventListener('abort', this.onAbort);
    this.fail(error);
  }

  private abort(reason: Error): void {
    this.fail(reason);
    this.controller?.abort(reason);
  }

  private fail(reason: unknown): void {
    if (this.body) this.body.fail(reason);
    else this.listener.reject(reason);
  }
}

/** Dropped once read: undici stores bodies until the response has ended. */
export class OneShotBody implements Iterable<Uint8Array> {
  readonly length: number;
  private bytes: Uint8Array | null;

  constructor(body: string | Uint8Array) {
    this.bytes = typeof body === 'string' ? Buffer.from(body) : body;
    this.length = this.bytes.length;
  }

  *[Symbol.iterator](): Generator<Uint8Array> {
    const { bytes } = this;
    this.bytes = null;
    if (bytes) yield bytes;
  }
}

const MAX_BYTES = 64 * 1024;
const MAX_MS = 5_000;

/** At most 64 KiB within five seconds. Rejects only with the signal's reason. */
export async function firstBytes(
  body: AsyncIterable<Buffer> & { destroy(): void },
  signal?: AbortSignal,
  { maxBytes = MAX_BYTES, maxMs = MAX_MS } = {},
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), maxMs);
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    signal?.throwIfAborted();
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks, Math.min(size, maxBytes));
}
