import { type ChatUsage, type FinishReason, ProviderFault, type ToolCall } from '../../core/agents/chat/provider.ts';
import { faultOfVendorError, shortMessage, type VendorError } from '../shared/faults.ts';
import { tryParseJson } from '../shared/json.ts';
import { type EventBatch, type MessageReader, usageOf } from '../shared/reading.ts';
import { RepeatedChunk } from '../shared/repeated-chunk.ts';
import { messageOf } from '../shared/sdk-requests.ts';
import type { SseMessage } from '../shared/sse.ts';
import { CallCollector, type CallPart } from './calls.ts';
import { addContent, type Reasoning, ReasoningCollector, textIn } from './reasoning.ts';

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};
const FAILURES = new Set(['error', 'abort', 'insufficient_system_resource']);

interface Chunk {
  error?: VendorError | string;
  code?: unknown;
  choices?: Choice[] | null;
  usage?: ChunkUsage | null;
  x_groq?: { usage?: ChunkUsage | null; error?: string };
  /** Names of errors that do not stand under `error`: vLLM's and FastAPI's. */
  object?: unknown;
  detail?: unknown;
  message?: unknown;
}

interface Choice {
  delta?: Delta | null;
  /** The whole answer, of a server that ignores `stream` or repeats it in each chunk. */
  message?: Delta | null;
  finish_reason?: string | null;
  error?: VendorError | string | null;
  /** Moonshot's place for it. */
  usage?: ChunkUsage | null;
}

interface Delta extends Reasoning {
  content?: unknown;
  refusal?: unknown;
  images?: unknown;
  audio?: unknown;
  tool_calls?: CallPart[] | CallPart | null;
  /** The older form of `tool_calls`. */
  function_call?: CallPart['function'];
}

interface ChunkUsage {
  prompt_tokens?: number | null;
  completion_tokens?: number | null;
  total_tokens?: number | null;
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
  /** DeepSeek's and Moonshot's names of cached input. */
  prompt_cache_hit_tokens?: number | null;
  cached_tokens?: number | null;
}

/** `returnsReasoning`: the server may require its reasoning back, so the first call carries it. */
export class ChatCompletionReader implements MessageReader {
  private finishReason: FinishReason | null = null;
  private done = false;
  private hasDelta = false;
  private readonly calls = new CallCollector();
  private readonly reasoning = new ReasoningCollector();
  private readonly leftOut = new Set<string>();
  private readonly returnsReasoning: boolean;
  readonly fastPath = new RepeatedChunk();

  constructor({ returnsReasoning = false } = {}) {
    this.returnsReasoning = returnsReasoning;
  }

  get state(): MessageReader['state'] {
    return this.done ? 'closed' : this.finishReason === null ? 'open' : 'whole';
  }

  read({ event, data }: SseMessage, batch: EventBatch): void {
    if (data !== '[DONE]') {
      const chunk = JSON.parse(data) as Chunk | Chunk[];
      // Google sends its errors in a list.
      this.readChunk(Array.isArray(chunk) ? chunk[0]! : chunk, { event, data }, batch);
      return;
    }
    if (!this.hasDelta && this.finishReason === null) throw new ProviderFault('broken', 'The provider sent no answer.');
    this.done = true;
  }

  private readChunk(chunk: Chunk, { event, data }: SseMessage, batch: EventBatch): void {
    if (event === 'error' || isError(chunk)) throw faultIn(chunk);
    const choice = chunk.choices?.[0];
    if (choice) this.readChoice(choice, batch);
    if (event === '' && isTextAlone(chunk)) this.fastPath.learn(data, choice!.delta!.content as string);
    const usage = chunk.usage ?? chunk.x_groq?.usage ?? choice?.usage;
    if ((usage?.prompt_tokens ?? usage?.completion_tokens ?? null) !== null) batch.usage(readUsage(usage!));
    const isChunk = (chunk.object ?? 'chat.completion') !== 'chat.completion';
    if (!isChunk && choice?.message && !choice.delta) this.finishReason ??= 'other';
    if (chunk.x_groq?.error) throw new ProviderFault('unavailable', shortMessage(chunk.x_groq.error));
  }

  end(batch: EventBatch): void {
    const calls = this.calls.end().filter((call) => this.isWhole(call, batch));
    if (this.returnsReasoning) this.reasoning.attachTo(calls);
    for (const call of calls) batch.add({ type: 'tool_call', call });
    // Some servers say `stop` after calling a tool, a word of their own, or nothing.
    const reason = this.finishReason ?? 'other';
    const isCalling = calls.length > 0 && (reason === 'stop' || reason === 'other');
    batch.finish(isCalling ? 'tool_calls' : reason);
  }

  private isWhole({ function: { name, arguments: text } }: ToolCall, batch: EventBatch): boolean {
    if (tryParseJson(text) !== undefined) return true;
    if (this.finishReason === null) throw new ProviderFault('broken', 'The provider ended its answer within a call.');
    const isCut = this.finishReason === 'length' || this.finishReason === 'other';
    const problem = isCut ? 'was cut off and is left out' : 'has arguments that are not valid JSON';
    batch.add({ type: 'warning', message: `A call of ${name} ${problem}.` });
    return !isCut;
  }

  private readChoice({ delta, message, finish_reason: reason, error }: Choice, batch: EventBatch): void {
    if (error) throw faultIn({ error });
    if (delta ?? message) this.readDelta(delta ?? (this.hasDelta ? {} : message!), batch);
    if (FAILURES.has(reason ?? '')) throw new ProviderFault('unavailable', 'The provider gave up.');
    if (reason) this.finishReason = FINISH_REASONS[reason] ?? 'other';
  }

  private readDelta(delta: Delta, batch: EventBatch): void {
    this.hasDelta = true;
    batch.reasoning(this.reasoning.add(delta));
    if (delta.content) this.warnOf(addContent(delta.content, batch), batch);
    if (delta.refusal) batch.text(textIn(delta.refusal));
    this.warnOf(
      ['images', 'audio'].filter((name) => delta[name as 'images']),
      batch,
    );
    if (delta.tool_calls) this.calls.add([delta.tool_calls].flat());
    if (delta.function_call) this.calls.add([{ function: delta.function_call }]);
  }

  private warnOf(types: string[], batch: EventBatch): void {
    for (const type of types) {
      if (this.leftOut.has(type)) continue;
      this.leftOut.add(type);
      batch.add({
        type: 'warning',
        message: `The answer has parts of the type ${shortMessage(type)}, which are left out.`,
      });
    }
  }
}

function isTextAlone({ choices, usage, x_groq: groq }: Chunk): boolean {
  const [choice, another] = choices ?? [];
  const { content, role: _, ...others } = (choice?.delta ?? {}) as Delta & { role?: unknown };
  const isElse = usage || groq || another || choice?.finish_reason || choice?.message || choice?.usage;
  return typeof content === 'string' && !isElse && Object.values(others).every((value) => !value);
}

function readUsage(usage: ChunkUsage): ChatUsage {
  const input = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  const { cached_tokens: listed, cache_write_tokens: written } = usage.prompt_tokens_details ?? {};
  const cached = listed || usage.prompt_cache_hit_tokens || usage.cached_tokens;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  // xAI and Gemini count reasoning apart from the completion; Gemini shows it in the total alone.
  const apart = Math.max(0, countOf(usage.total_tokens) - input - output);
  const isApart = apart > 0 && (reasoning === 0 || reasoning === apart);
  return usageOf(input, isApart ? output + apart : output, { cached, written, reasoning: isApart ? apart : reasoning });
}

/** Some servers write numbers as text. */
function countOf(tokens: unknown): number {
  return Math.max(0, Number(tokens) || 0);
}

/** vLLM's older errors are whole chunks; FastAPI's and others have only a `detail` or `message`. */
function isError({ error, object, detail, message, choices }: Chunk): boolean {
  return Boolean(error) || object === 'error' || (!choices && (detail !== undefined || typeof message === 'string'));
}

function faultIn(chunk: Chunk): ProviderFault {
  const { error } = chunk;
  const told = typeof error === 'object' ? error : (chunk as VendorError);
  return faultOfVendorError({ ...told, message: messageOf(error) ?? messageOf(chunk) ?? undefined });
}
