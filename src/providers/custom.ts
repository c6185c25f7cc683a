import OpenAI from 'openai';
import type { ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { ChatCompletionReader, chatCompletionBody } from './chat-completions.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';

/** Any server that speaks Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and the like. */
export const customProvider: ChatProvider = { stream: (call) => streamChatCompletions(call, '') };

/** Asks a Chat Completions API with OpenAI's SDK; `vendorUrl` is where it is when the definition does not say. */
export async function streamChatCompletions(call: ProviderCall, vendorUrl: string): Promise<ProviderStream> {
  const { connection, signal } = call;
  const client = new OpenAI({
    ...sdkOptions(connection, vendorUrl),
    // Servers without keys take any.
    apiKey: connection.apiKey ?? 'none',
    organization: null,
    project: null,
  });
  try {
    const response = await withOwnHeaders(client, connection.headers)
      .chat.completions.create(chatCompletionBody(call), { signal })
      .asResponse();
    return {
      requestId: requestIdOf(response.headers),
      events: readEvents(bodyOf(response), new ChatCompletionReader()),
    };
  } catch (error) {
    throw faultOfSdk(error);
  }
}
