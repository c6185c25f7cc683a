import Groq from 'groq-sdk';
import type { ChatCompletionCreateParamsStreaming } from 'groq-sdk/resources/chat/completions';
import type { ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { ChatCompletionReader, chatCompletionBody } from './chat-completions.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';

/** Models that GroqCloud runs, by its Chat Completions API. */
export const groqProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { connection, signal } = call;
  const client = new Groq({ ...sdkOptions(connection, 'https://api.groq.com'), apiKey: connection.apiKey ?? '' });
  try {
    const response = await withOwnHeaders(client, connection.headers)
      .chat.completions.create(chatCompletionBody(call) as unknown as ChatCompletionCreateParamsStreaming, { signal })
      .asResponse();
    return {
      requestId: requestIdOf(response.headers),
      events: readEvents(bodyOf(response), new ChatCompletionReader()),
    };
  } catch (error) {
    throw faultOfSdk(error);
  }
}
