import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { firstBytes } from './error-body.ts';
import { OneShotBody } from './one-shot-body.ts';
import { ResponseBody } from './response-body.ts';

/** What is sent to a server. */
export interface OutgoingRequest {
  /** `https://api.example.com`. */
  origin: string;
  /** With its query. */
  path: string;
  method: string;
  /** Names and values in turn, which undici takes as they are. */
  headers: string[];
  body: string | Uint8Array | null;
  /** Ends the request, whatever it has come to. */
  signal: AbortSignal | undefined;
}

/** What a server has answered. */
export interface UpstreamResponse {
  status: number;
  statusText: string;
  /** By their names in small letters. */
  headers: IncomingHttpHeaders;
  body: ResponseBody;
}

/**
 * Sends a request and resolves with the head of its answer. Redirects are handed back as they are and bodies are not
 * decompressed. The body of an answer other than 2xx has been read already, as far as an error needs it. Rejects with
 * undici's error, with a BlockedAddress, or with the signal's reason, also while it still connects.
 */
export async function streamingRequest(
  policy: NetworkPolicy,
  request: OutgoingRequest,
  { dispatcherFor } = dispatchers,
): Promise<UpstreamResponse> {
  const answer = await openRequest(dispatcherFor(policy), request);
  if (answer.status >= 200 && answer.status < 300) return answer;
  return { ...answer, body: ResponseBody.of(await firstBytes(answer.body, request.signal)) };
}

/** The same, with the body of every answer as it comes. `onWrite` hears when the request is about to be written. */
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

/** Here, and not where it is the default: there it would hold on to the request, and its body, as long as the answer lasts. */
function ignore(): void {}

/** Bytes, or characters, of which it matters how long they are held. */
const LARGE = 64 * 1024;

function dispatchOptions({ origin, path, method, headers, body }: OutgoingRequest): Dispatcher.DispatchOptions {
  if (body === null || body.length <= LARGE) return { origin, path, method, headers, body };
  const large = new OneShotBody(body);
  const sized = [...headers, 'content-length', String(large.length)];
  // undici takes what can be iterated, too, which its types leave out.
  return { origin, path, method, headers: sized, body: large as unknown as Uint8Array };
}

interface Listener {
  resolve(answer: UpstreamResponse): void;
  reject(reason: unknown): void;
  signal: AbortSignal | undefined;
  onWrite(): void;
}

/** What undici tells of one request. */
class Receiver implements Dispatcher.DispatchHandler {
  private readonly listener: Listener;
  private readonly signal: AbortSignal | undefined;
  private controller: Dispatcher.DispatchController | null = null;
  private body: ResponseBody | null = null;
  private readonly leave = () => this.giveUp(this.signal?.reason);

  constructor(listener: Listener) {
    this.listener = listener;
    this.signal = listener.signal;
    this.signal?.addEventListener('abort', this.leave, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Whoever left while it still connected is heard only now.
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
    // What only informs is followed by the answer.
    if (status < 200) return;
    this.body = new ResponseBody(controller);
    this.listener.resolve({ status, statusText, headers, body: this.body });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body?.push(chunk);
  }

  onResponseEnd(): void {
    this.signal?.removeEventListener('abort', this.leave);
    this.body?.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.signal?.removeEventListener('abort', this.leave);
    this.fail(error);
  }

  private giveUp(reason: Error): void {
    this.fail(reason);
    this.controller?.abort(reason);
  }

  private fail(reason: unknown): void {
    if (this.body) this.body.fail(reason);
    else this.listener.reject(reason);
  }
}
