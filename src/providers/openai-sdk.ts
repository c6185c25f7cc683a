import OpenAI from 'openai';
import type { Connection, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { chatCompletionBody } from './chat-completions.ts';
import { ChatCompletionReader } from './chat-completions-reader.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { ask, clientPerConnection, faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';

/** OpenAI's SDK, for the vendors that speak its APIs; `vendorUrl` is where to ask when a connection does not say. */
export function openaiClients(vendorUrl: string): (connection: Connection) => OpenAI {
  return clientPerConnection((connection) => {
    const client = new OpenAI({
      ...sdkOptions(connection, vendorUrl),
      // Servers without keys take any.
      apiKey: connection.apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
    });
    return withOwnHeaders(client, connection.headers);
  });
}

/** Asks a Chat Completions API. */
export async function streamChatCompletions(client: OpenAI, call: ProviderCall): Promise<ProviderStream> {
  const request = { path: '/chat/completions', body: chatCompletionBody(call) };
  try {
    const { headers, body } = await ask(client, OpenAI.APIError, request, call);
    return { requestId: requestIdOf(headers), events: readEvents(body, new ChatCompletionReader()) };
  } catch (error) {
    throw faultOfSdk(error);
  }
}
