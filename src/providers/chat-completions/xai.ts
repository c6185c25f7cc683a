import type { ChatProvider } from '../../core/chat/provider.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';

const clientOf = openaiClients('https://api.x.ai/v1');

/** Grok, by xAI's Chat Completions API. */
export const xaiProvider: ChatProvider = { stream: (call) => streamChatCompletions(clientOf(call.connection), call) };
