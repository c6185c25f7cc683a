import { GoogleGenAI } from '@google/genai';
import { type Connection, ProviderFault } from '../../core/chat/provider.ts';
import { streamingFetch } from '../../outbound/fetch.ts';
import { faultOfConnection, faultOfStatus } from '../shared/faults.ts';
import { type GeminiError, retryDelayOf } from './reader.ts';

/** Where the vendor is asked when a connection does not say. */
export const GEMINI_URL = 'https://generativelanguage.googleapis.com';
const KEY_HEADER = 'x-goog-api-key';

/**
 * One for all requests, each of which brings its own address and key: the SDK complains of the environment whenever one is
 * made. What the environment could say otherwise is said here.
 */
export const geminiClient = new GoogleGenAI({
  enterprise: false,
  apiVersion: 'v1beta',
  apiKey: 'given with each request',
  httpOptions: { baseUrl: GEMINI_URL },
});

/** The SDK's `fetch`, with a connection's key and headers in place of the client's. */
export function geminiFetch(connection: Connection): typeof fetch {
  const send = streamingFetch(connection);
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete(KEY_HEADER);
    if (connection.apiKey !== null) headers.set(KEY_HEADER, connection.apiKey);
    for (const [name, value] of Object.entries(connection.headers)) headers.set(name, value);
    return send(input as string | URL, { ...init, headers });
  };
}

/** Of what the SDK throws, what may be kept. */
export function faultOfGemini(error: unknown, response: Response | undefined): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (!response) return faultOfConnection(error);
  const told = toldIn((error as Error).message);
  const message = told.message || `The provider answered with status ${response.status}.`;
  return faultOfStatus(response.status, message, Object.fromEntries(response.headers), retryDelayOf(told));
}

/** The SDK's message is the body of the answer. */
function toldIn(message: string): GeminiError {
  try {
    const body: unknown = JSON.parse(message);
    const { error } = (Array.isArray(body) ? body[0] : body) as { error?: GeminiError };
    return error ?? {};
  } catch {
    return {};
  }
}
