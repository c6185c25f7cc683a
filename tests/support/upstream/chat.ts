import type { ChatCompletionChunk as GroqChunk } from 'groq-sdk/resources/chat/completions';
import type { CompletionUsage as GroqUsage } from 'groq-sdk/resources/completions';
import type { ChatCompletionChunk } from 'openai/resources/chat/completions';
import type { CompletionUsage } from 'openai/resources/completions';
import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';
import type { Answer, ErrorKind, Finish, Piece } from './outcomes.ts';
import { CREATED, callId, type Exchange, type Message, type Protocol, partsOf, type Transcript } from './protocol.ts';
import { encodeEvent } from './sse.ts';

type Delta = ChatCompletionChunk.Choice.Delta & { reasoning?: string; reasoning_content?: string };
type ChunkChoice = Omit<ChatCompletionChunk.Choice, 'delta'> & { delta: Delta };
type Chunk = Omit<ChatCompletionChunk, 'choices'> & Pick<GroqChunk, 'x_groq'> & { choices: ChunkChoice[] };

/** Chat Completions of OpenAI, and as Groq, xAI and servers like vLLM speak it. */
export const chat: Protocol = {
  contentType: 'text/event-stream; charset=utf-8',
  transcript,
  error,
  // In the place of usage, Groq's chunks can tell why a stream was stopped.
  failure: (exchange) =>
    exchange.vendor === 'groq'
      ? chunk(exchange, [], { x_groq: { id: exchange.requestId, error: 'over_capacity' } })
      : null,
  encode: (message, wire) => encodeEvent(message, wire),
};

function transcript({ pieces, finish, usage }: Answer, exchange: Exchange): Transcript {
  const { vendor, requestId } = exchange;
  const say = (delta: Delta, extra: Partial<Chunk> = {}, reason: ChunkChoice['finish_reason'] = null) =>
    chunk(exchange, [{ index: 0, delta, logprobs: null, finish_reason: reason }], extra);
  const told = usage && usageOf(usage, exchange);
  const withFinish = vendor === 'groq' ? { x_groq: { id: requestId, ...(told ? { usage: told } : {}) } } : {};
  let calls = 0;

  return {
    opening: [
      say(
        { role: 'assistant', content: '', ...(vendor === 'openai' ? { refusal: null } : {}) },
        vendor === 'groq' ? { x_groq: { id: requestId } } : {},
      ),
    ],
    pieces: pieces.map((piece) => {
      const deltas = deltasOf(piece, exchange, calls);
      if (piece.type === 'toolCall') calls += 1;
      return deltas.map((delta) => say(delta));
    }),
    closing: [
      say({}, withFinish, FINISH[finish]),
      // xAI tells it unasked.
      ...(told && (exchange.wantsUsage || vendor === 'xai') ? [chunk(exchange, [], { usage: told })] : []),
      { name: null, data: '[DONE]' },
    ],
  };
}

function deltasOf(piece: Piece, exchange: Exchange, index: number): Delta[] {
  switch (piece.type) {
    case 'text':
      return [{ content: piece.text }];
    case 'refusal':
      return [exchange.vendor === 'openai' ? { refusal: piece.text } : { content: piece.text }];
    case 'reasoning':
      // OpenAI keeps it to itself.
      if (exchange.vendor === 'openai') return [];
      return [exchange.vendor === 'groq' ? { reasoning: piece.text } : { reasoning_content: piece.text }];
    case 'toolCall': {
      const id = callId(piece.id, exchange, index);
      const call = (args: string) => ({
        id,
        type: 'function' as const,
        function: { name: piece.name, arguments: args },
      });
      // Groq and xAI send a call whole.
      if (exchange.vendor === 'groq' || exchange.vendor === 'xai')
        return [{ tool_calls: [{ index, ...call(piece.arguments) }] }];
      const rest = partsOf(piece.arguments, 3).map((part) => ({
        tool_calls: [{ index, function: { arguments: part } }],
      }));
      return [{ tool_calls: [{ index, ...call('') }] }, ...rest];
    }
    default:
      return [];
  }
}

function chunk(
  { vendor, model, number, wantsUsage }: Exchange,
  choices: ChunkChoice[],
  extra: Partial<Chunk>,
): Message {
  const openai = { service_tier: 'default' as const, obfuscation: 'Yk3vQ', ...(wantsUsage ? { usage: null } : {}) };
  const data: Chunk = {
    id: `chatcmpl-fake${number}`,
    object: 'chat.completion.chunk',
    created: CREATED,
    model,
    system_fingerprint: 'fp_fake',
    choices,
    ...(vendor === 'openai' ? openai : {}),
    ...extra,
  };
  return { name: null, data };
}

const FINISH: Record<Finish, ChunkChoice['finish_reason']> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  content_filter: 'content_filter',
  pause_turn: 'stop',
};

/** xAI counts reasoning beside the completion, and both in the total; the others count it within. */
function usageOf(usage: ChatUsage, { vendor }: Exchange): CompletionUsage & GroqUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const times = { queue_time: 0.01, prompt_time: 0.002, completion_time: 0.02, total_time: 0.022 };
  return {
    prompt_tokens: inputTokens,
    completion_tokens: vendor === 'xai' ? outputTokens - (reasoningTokens ?? 0) : outputTokens,
    total_tokens: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined && cacheWriteTokens === undefined
      ? {}
      : {
          prompt_tokens_details: {
            cached_tokens: cachedInputTokens ?? 0,
            ...(cacheWriteTokens === undefined ? {} : { cache_write_tokens: cacheWriteTokens }),
          },
        }),
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
    ...(vendor === 'groq' ? times : {}),
  };
}

const ERRORS: Record<ErrorKind, { status: number; type: string; code: string; message: string }> = {
  server: { status: 500, type: 'server_error', code: 'internal_error', message: 'The server had an error.' },
  overloaded: {
    status: 503,
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    message: 'The model is overloaded.',
  },
  rateLimited: { status: 429, type: 'tokens', code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
};

function error(kind: ErrorKind, { vendor }: Exchange): Message {
  const { status, type, code, message } = ERRORS[kind];
  if (vendor === 'xai') return { name: null, data: { code, error: message } };
  if (vendor === 'groq') return { name: 'error', data: { error: { message, type, code, status_code: status } } };
  if (vendor === 'custom') return { name: null, data: { error: { message, type, param: null, code: status } } };
  return { name: null, data: { error: { message, type, param: null, code } } };
}
