import { type EventSourceMessage, EventSourceParserStream } from 'eventsource-parser/stream';
import type { Client } from 'openapi-fetch';
import type { components, paths } from '../api.d.ts';
import { AgentRuntimeError, connectionError, type ErrorBody } from './errors.ts';

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

export type ChatEvent =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool_call'; call: ToolCall }
  | { type: 'usage'; usage: ChatUsage }
  | { type: 'warning'; message: string; droppedParams?: string[] }
  | {
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

export async function* streamChat(
  client: Client<paths>,
  body: ChatRequest,
  { signal, onExecution }: ChatOptions = {},
): AsyncGenerator<ChatEvent, void, undefined> {
  const ended = new AbortController();
  try {
    const { data, error, response } = await client.POST('/api/v1/runtime/v1/chat/stream', {
      body,
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      signal: AbortSignal.any(signal ? [signal, ended.signal] : [ended.signal]),
    });
    const executionId = response.headers.get('x-execution-id');
    if (executionId !== null) onExecution?.(executionId);
    if (!data) throw new AgentRuntimeError(response, error);
    const messages = messagesOf(data, response.headers, signal);
    for await (const { event, data: text } of messages) {
      if (event === 'error') throw streamedError(JSON.parse(text), response.headers);
      const chatEvent = chatEventOf(event, JSON.parse(text));
      if (chatEvent) yield chatEvent;
      if (event !== 'done') continue;
      // Its end follows: a response that was read can leave its connection to the next.
      await messages.next().catch(() => undefined);
      return;
    }
    throw connectionError('the answer ended before it was done', response.headers);
  } finally {
    ended.abort();
  }
}

/** By a reader: not every browser iterates streams. */
async function* messagesOf(
  bytes: ReadableStream<Uint8Array>,
  headers: Headers,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>;
  const reader = bytes.pipeThrough(decoder).pipeThrough(new EventSourceParserStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw signal?.aborted ? error : connectionError(error, headers);
    });
    if (done) return;
    yield value;
  }
}

function streamedError(body: ErrorBody, headers: Headers): AgentRuntimeError {
  return new AgentRuntimeError({ status: body.statusCode, headers }, body);
}

/** Null for an event of a newer server. */
function chatEventOf(type: string | undefined, data: object): ChatEvent | null {
  switch (type) {
    case 'text':
    case 'reasoning':
    case 'warning':
    case 'done':
      return { ...data, type } as ChatEvent;
    case 'tool_call':
      return { type, call: data as ToolCall };
    case 'usage':
      return { type, usage: data as ChatUsage };
    default:
      return null;
  }
}
