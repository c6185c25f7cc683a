import { GoogleGenAI } from '@google/genai';
import { type Connection, ProviderFault } from '../../core/agents/chat/provider.ts';
import { streamingFetch } from '../../outbound/fetch.ts';
import { faultOfConnection, faultOfStatus } from '../shared/faults.ts';
import { parseJson } from '../shared/json.ts';
import { type GeminiError, retryDelayOf } from './reader.ts';

export const GEMINI_URL = 'https://generativelanguage.googleapis.com';
const KEY_HEADER = 'x-goog-api-key';

/** One client: the SDK warns about the environment for each. These options override it. */
export const geminiClient = new GoogleGenAI({
  enterprise: false,
  apiVersion: 'v1beta',
  apiKey: 'given with each request',
  httpOptions: { baseUrl: GEMINI_URL },
});

/** Replaces the client's key by the key and headers of the connection. */
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

export function faultOfGemini(error: unknown, response: Response | undefined): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (!response) return faultOfConnection(error);
  const vendorError = errorIn((error as Error).message);
  const message = vendorError.message || `The provider answered with status ${response.status}.`;
  return faultOfStatus(response.status, message, Object.fromEntries(response.headers), retryDelayOf(vendorError));
}

/** The SDK's message is the response body. */
function errorIn(message: string): GeminiError {
  const body = parseJson(message);
  const { error } = ((Array.isArray(body) ? body[0] : body) ?? {}) as { error?: GeminiError };
  return error ?? {};
}
