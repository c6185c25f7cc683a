import { GoogleGenAI } from '@google/genai';
import {
  type ChatEvent,
  type ChatProvider,
  type Connection,
  type ProviderCall,
  ProviderFault,
  type ProviderStream,
} from '../core/chat/provider.ts';
import { bodyOf, streamingFetch } from '../outbound/fetch.ts';
import { faultOfConnection, faultOfStatus, requestIdOf } from './faults.ts';
import { geminiParameters } from './gemini-body.ts';
import { type GeminiError, GeminiReader, retryDelayOf } from './gemini-reader.ts';
import { readEvents } from './reading.ts';

const VENDOR_URL = 'https://generativelanguage.googleapis.com';
const KEY_HEADER = 'x-goog-api-key';

/** Gemini, by the Gemini API. */
export const geminiProvider: ChatProvider = { stream };

/**
 * One for all requests, each of which brings its own address and key: the SDK complains of the environment whenever one is
 * made. What the environment could say otherwise is said here.
 */
const client = new GoogleGenAI({
  enterprise: false,
  apiVersion: 'v1beta',
  apiKey: 'given with each request',
  httpOptions: { baseUrl: VENDOR_URL },
});

/** The SDK makes the request. Its answer is read past it: the SDK's own reading takes an answer that was cut for whole. */
async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { connection, signal } = call;
  const { model, contents, config } = geminiParameters(call);
  let response: Response | undefined;
  const send = sender(connection);
  const httpOptions = {
    baseUrl: connection.baseUrl ?? VENDOR_URL,
    fetch: async (...request: Parameters<typeof fetch>) => {
      response = await send(...request);
      return response;
    },
  };
  try {
    await client.models.generateContentStream({
      model,
      contents,
      config: { ...config, httpOptions, abortSignal: signal },
    });
  } catch (error) {
    throw faultOf(error, response);
  }
  const reader = new GeminiReader();
  const reads = readEvents(bodyOf(response!), reader);
  // The id comes with the first events, and in no header.
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
    // Whoever leaves after the first read has not come as far as to leave the others.
    await reads.return(undefined);
  }
}

function sender(connection: Connection): typeof fetch {
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
function faultOf(error: unknown, response: Response | undefined): ProviderFault {
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
