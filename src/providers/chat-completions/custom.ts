import { type ChatProvider, type ProviderCall, ProviderFault, type ProviderStream } from '../../core/chat/provider.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';

/** There is no vendor: each connection says where. */
const clientOf = openaiClients('');

/** Any server that speaks Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and the like. */
export const customProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  // Without one, the SDK would ask OpenAI, with this server's key.
  if (!call.connection.baseUrl)
    throw new ProviderFault('refused', 'providerName: names a provider without baseUrl; custom needs one');
  return streamChatCompletions(clientOf(call.connection), call);
}
