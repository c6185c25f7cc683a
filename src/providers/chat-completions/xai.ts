import type { ChatProvider } from '../../core/agents/chat/provider.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';

const clientOf = openaiClients('https://api.x.ai/v1');

export const xaiProvider: ChatProvider = { stream: (call) => streamChatCompletions(clientOf(call.connection), call) };
