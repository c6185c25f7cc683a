import { type ChatProvider, type ProviderCall, type ProviderStream, refused } from '../../core/agents/chat/provider.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';

const clientOf = openaiClients('');

export const customProvider: ChatProvider = { stream };

async function stream(call: ProviderCall): Promise<ProviderStream> {
  // Otherwise the SDK would send the request to OpenAI, with this server's key.
  if (!call.connection.baseUrl) throw refused('providerName: names a provider without baseUrl; custom needs one');
  return streamChatCompletions(clientOf(call.connection), call);
}
