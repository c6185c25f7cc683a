import type { ChatProvider } from '../core/chat/provider.ts';
import { streamChatCompletions } from './openai-sdk.ts';

/** Grok, by xAI's Chat Completions API. */
export const xaiProvider: ChatProvider = { stream: (call) => streamChatCompletions(call, 'https://api.x.ai/v1') };
