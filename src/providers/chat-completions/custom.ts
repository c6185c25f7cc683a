import { type ChatProvider, type ProviderCall, type ProviderStream, refused } from '../../core/chat/provider.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';

/** No default address: every connection has its own. */
const clientOf = openaiClients('');

/** Any server with Chat Completions: Ollama, vLLM, llama.cpp, LM Studio, LiteLLM and others. */
export const customProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  // Without an address the SDK would send the request to OpenAI, with this server's key.
  if (!call.connection.baseUrl) throw refused('providerName: names a provider without baseUrl; custom needs one');
  return streamChatCompletions(clientOf(call.connection), call);
}
