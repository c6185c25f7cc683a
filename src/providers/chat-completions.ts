import type OpenAI from 'openai';
import type { ChatMessage } from '../core/chat/message.ts';
import {
  type FinishReason,
  type ProviderCall,
  ProviderFault,
  type ToolCall,
  type Usage,
} from '../core/chat/provider.ts';
import { effortOf } from './effort.ts';
import { shortened } from './faults.ts';
import type { Batch, MessageReader } from './reading.ts';
import type { SseMessage } from './sse.ts';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

/** A request for a Chat Completions API, as OpenAI, Groq, xAI and most servers that one runs oneself have it. */
export function chatCompletionBody({ request, capabilities }: ProviderCall): Body {
  const { model, temperature, topP, frequencyPenalty, presencePenalty, stop, seed, maxTokens } = request;
  const effort = effortOf(request.thinking, capabilities);
  const body = {
    model,
    messages: messagesOf(request),
    stream: true,
    ...(capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
    [capabilities.maxTokensName]: maxTokens,
    temperature,
    top_p: topP,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    stop: stop?.length ? stop : undefined,
    seed,
    tools: request.tools?.length ? request.tools : undefined,
    response_format: request.responseFormat,
    reasoning_effort: effort,
  };
  return body as unknown as Body;
}

function messagesOf({ instructions, messages }: ProviderCall['request']): object[] {
  const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  return [...system, ...messages.map(ownMembers)];
}

/** A tool's name is ours to know: these APIs take it on no tool message. */
function ownMembers({ name: _, ...message }: ChatMessage): object {
  return message;
}

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

interface Chunk {
  error?: { message?: string; code?: unknown; type?: string; status?: number } | string;
  choices?: {
    delta?: {
      content?: string | null;
      refusal?: string | null;
      reasoning?: string | null;
      reasoning_content?: string | null;
      tool_calls?: { index?: number; id?: string; function?: { name?: string; arguments?: string } }[];
    };
    finish_reason?: string | null;
  }[];
  usage?: ChunkUsage | null;
  x_groq?: { usage?: ChunkUsage | null; error?: string };
}

interface ChunkUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
}

/** Reads the chunks of one answer. Whole with a `finish_reason`, closed with `[DONE]`. */
export class ChatCompletionReader implements MessageReader {
  private finishReason: FinishReason | null = null;
  private done = false;
  private readonly calls = new Map<number, ToolCall>();

  get state(): MessageReader['state'] {
    return this.done ? 'closed' : this.finishReason === null ? 'open' : 'whole';
  }

  read({ event, data }: SseMessage, batch: Batch): void {
    if (data === '[DONE]') {
      this.done = true;
      return;
    }
    const chunk = JSON.parse(data) as Chunk;
    if (chunk.error || event === 'error') throw faultIn(chunk);
    const choice = chunk.choices?.[0];
    if (choice) this.readChoice(choice, batch);
    const usage = chunk.usage ?? chunk.x_groq?.usage;
    if (usage) batch.add({ type: 'usage', usage: usageOf(usage) });
    if (chunk.x_groq?.error) throw new ProviderFault('unavailable', shortened(chunk.x_groq.error));
  }

  end(batch: Batch): void {
    for (const [, call] of [...this.calls].sort(([one], [other]) => one - other))
      batch.add({ type: 'tool_call', call });
    // Some servers say `stop` where they called a tool.
    const reason = this.calls.size > 0 && this.finishReason === 'stop' ? 'tool_calls' : this.finishReason;
    batch.finish(reason ?? 'other');
  }

  private readChoice({ delta, finish_reason: reason }: NonNullable<Chunk['choices']>[number], batch: Batch): void {
    if (delta) {
      const reasoning = delta.reasoning_content ?? delta.reasoning;
      if (reasoning) batch.reasoning(reasoning);
      if (delta.content) batch.text(delta.content);
      if (delta.refusal) batch.text(delta.refusal);
      for (const part of delta.tool_calls ?? []) this.addCall(part);
    }
    if (reason) this.finishReason = FINISH_REASONS[reason] ?? 'other';
  }

  private addCall({ index = 0, id, function: called }: { index?: number; id?: string } & CallPart): void {
    let call = this.calls.get(index);
    if (!call) {
      call = { id: id ?? `call_${index}`, type: 'function', function: { name: '', arguments: '' } };
      this.calls.set(index, call);
    }
    call.function.name += called?.name ?? '';
    call.function.arguments += called?.arguments ?? '';
  }
}

interface CallPart {
  function?: { name?: string; arguments?: string };
}

function usageOf(usage: ChunkUsage): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cached ? { cachedInputTokens: cached } : {}),
    ...(reasoning ? { reasoningTokens: reasoning } : {}),
  };
}

/** An error in place of a chunk. */
function faultIn({ error }: Chunk): ProviderFault {
  const { message, code, type, status } = typeof error === 'object' ? error : { message: error };
  const what = shortened(message ?? 'The provider failed.');
  const number = Number(status ?? code);
  if (number === 429 || /rate_limit/.test(`${code} ${type}`)) return new ProviderFault('rate_limited', what);
  if (number >= 400 && number < 500) return new ProviderFault('refused', what, { status: number });
  return new ProviderFault('unavailable', what);
}
