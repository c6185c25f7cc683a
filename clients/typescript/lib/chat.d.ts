import type { Client } from 'openapi-fetch';
import type { components, paths } from '../api.d.ts';
type ChatRequest = components['schemas']['ChatRequest'];
/** Send it back as it is in the next request's `tool_calls`. */
export type ToolCall = NonNullable<ChatRequest['messages'][number]['tool_calls']>[number];
export interface ChatUsage {
    inputTokens: number;
    outputTokens: number;
    cachedInputTokens?: number;
    cacheWriteTokens?: number;
    reasoningTokens?: number;
    /** Of an answer that the provider did not count. */
    estimated?: boolean;
}
export type ChatEvent = {
    type: 'text' | 'reasoning';
    text: string;
} | {
    type: 'tool_call';
    call: ToolCall;
} | {
    type: 'usage';
    usage: ChatUsage;
} | {
    type: 'warning';
    message: string;
    droppedParams?: string[];
} | {
    type: 'done';
    finishReason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'other';
    executionId: string;
    provider: ChatRequest['provider'];
    providerName: string | null;
    model: string;
};
export interface ChatOptions {
    signal?: AbortSignal;
    /** Called with the id of the execution that records the chat, before its first event or error. */
    onExecution?: (executionId: string) => void;
}
export declare function streamChat(client: Client<paths>, body: ChatRequest, { signal, onExecution }?: ChatOptions): AsyncGenerator<ChatEvent, void, undefined>;
export {};
