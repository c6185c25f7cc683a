import { GoogleGenAI } from '@google/genai';
import {
  type ChatEvent,
  type ChatProvider,
  type Connection,
  type ProviderCall,
  ProviderFault,
  type ProviderStream,
} from '../../core/agents/chat/provider.ts';
import { bodyOf, streamingFetch } from '../../outbound/fetch.ts';
import { faultOfConnection, faultOfStatus, requestIdOf } from '../shared/faults.ts';
import { tryParseJson } from '../shared/json.ts';
import { readEvents } from '../shared/reading.ts';
import { geminiParameters } from './body.ts';
import { type GeminiError, GeminiReader, retryDelayOf } from './reader.ts';

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
  const body = tryParseJson(message);
  const { error } = ((Array.isArray(body) ? body[0] : body) ?? {}) as { error?: GeminiError };
  return error ?? {};
}

export const geminiProvider: ChatProvider = { stream };

/** We read the response: the SDK takes a cut answer for a whole one. */
async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { connection, signal } = call;
  const { model, contents, config } = geminiParameters(call);
  let response: Response | undefined;
  const send = geminiFetch(connection);
  const httpOptions = {
    baseUrl: connection.baseUrl ?? GEMINI_URL,
    fetch: async (...request: Parameters<typeof fetch>) => {
      response = await send(...request);
      return response;
    },
  };
  try {
    await geminiClient.models.generateContentStream({
      model,
      contents,
      config: { ...config, httpOptions, abortSignal: signal },
    });
  } catch (error) {
    throw faultOfGemini(error, response);
  }
  const reader = new GeminiReader();
  const reads = readEvents(bodyOf(response!), reader);
  // The id comes with the first events, in no header.
  let first = await reads.next();
  while (!first.done && first.value.length === 0) first = await reads.next();
  return {
    requestId: requestIdOf(Object.fromEntries(response!.headers)) ?? reader.responseId,
    events: continued(first, reads),
  };
}

async function* continued(
  first: IteratorResult<ChatEvent[]>,
  reads: AsyncGenerator<ChatEvent[]>,
): AsyncGenerator<ChatEvent[]> {
  try {
    if (!first.done) yield first.value;
    yield* reads;
  } finally {
    // A reader that stops during the first batch has not started `reads` yet.
    await reads.return(undefined);
  }
}
