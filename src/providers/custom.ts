import { type ChatProvider, type ProviderCall, ProviderFault, type ProviderStream } from '../core/chat/provider.ts';
import { streamChatCompletions } from './openai-sdk.ts';

/** Any server that speaks Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and the like. */
export const customProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { baseUrl } = call.connection;
  // Without one, the SDK would ask OpenAI, with this server's key.
  if (!baseUrl) throw new ProviderFault('refused', 'providerName: names a provider without baseUrl; custom needs one');
  return streamChatCompletions(call, baseUrl);
}
