import OpenAI from 'openai';
import type { Connection, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { chatCompletionBody } from './chat-completions.ts';
import { ChatCompletionReader } from './chat-completions-reader.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';

/** OpenAI's SDK; `vendorUrl` is where to ask when the connection does not say. */
export function openaiClient(connection: Connection, vendorUrl: string): OpenAI {
  const client = new OpenAI({
    ...sdkOptions(connection, vendorUrl),
    // Servers without keys take any.
    apiKey: connection.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
  });
  return withOwnHeaders(client, connection.headers);
}

/** Asks a Chat Completions API. */
export async function streamChatCompletions(call: ProviderCall, vendorUrl: string): Promise<ProviderStream> {
  const body = chatCompletionBody(call);
  try {
    const response = await openaiClient(call.connection, vendorUrl)
      .chat.completions.create(body, { signal: call.signal })
      .asResponse();
    return {
      requestId: requestIdOf(response.headers),
      events: readEvents(bodyOf(response), new ChatCompletionReader()),
    };
  } catch (error) {
    throw faultOfSdk(error);
  }
}
