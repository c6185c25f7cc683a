import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { dispatchers, type NetworkPolicy } from './dispatchers.ts';
import { firstBytes } from './error-body.ts';
import { LargeBody } from './large-body.ts';

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

/** Header fields as undici gives them: names in small letters, a list where one came several times. */
export type ReceivedHeaders = Record<string, string | string[] | undefined>;

/** What a server has answered. */
export interface Answer {
  status: number;
  statusText: string;
  headers: ReceivedHeaders;
  /** Bytes as they come. Whoever stops reading before the end destroys it, which ends the request. */
  body: Readable;
}

/**
 * Sends a request and resolves with its head. Redirects are handed back as they are and bodies are not decompressed. The body
 * of an answer other than 2xx has been read already, as far as an error needs it. Rejects with undici's error, with a
 * BlockedAddress, or with the signal's reason, also while it still connects.
 */
export async function streamingRequest(
  policy: NetworkPolicy,
  request: OutgoingRequest,
  { dispatcherFor } = dispatchers,
): Promise<Answer> {
  const { statusCode: status, statusText, headers, body } = await send(dispatcherFor(policy), heldBriefly(request));
  // Who leaves a stream destroys it, and that must not be an error that nobody listens for.
  body.on('error', ignore);
  const isGood = status >= 200 && status < 300;
  return { status, statusText, headers, body: isGood ? body : Readable.from(await firstBytes(body, request.signal)) };
}

/** Bytes, or characters, of which it matters how long they are held. */
const LARGE = 64 * 1024;

function heldBriefly(request: OutgoingRequest): OutgoingRequest {
  if (request.body === null || request.body.length <= LARGE) return request;
  const body = new LargeBody(request.body);
  const headers = [...request.headers, 'content-length', String(body.length)];
  // undici takes what can be iterated, too, which its types leave out.
  return { ...request, headers, body: body as unknown as Uint8Array };
}

/** undici itself hears of an abort only once it is connected. */
function send(dispatcher: Dispatcher, request: OutgoingRequest): Promise<Dispatcher.ResponseData> {
  const { signal } = request;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => reject(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    dispatcher.request(request as Dispatcher.RequestOptions, (error, answer) => {
      signal?.removeEventListener('abort', giveUp);
      if (error) reject(error);
      else resolve(answer);
    });
  });
}

function ignore(): void {}
