import { type FinishReason, ProviderFault, type ToolCall, type Usage } from '../../core/chat/provider.ts';
import { faultOfVendorError, shortened, type VendorError } from '../shared/faults.ts';
import { parseJson } from '../shared/json.ts';
import type { Batch, MessageReader } from '../shared/reading.ts';
import { RepeatedChunk } from '../shared/repeated-chunk.ts';
import type { SseMessage } from '../shared/sse.ts';
import { usageOf } from '../shared/usage.ts';

const FINISH_REASONS: Record<string, FinishReason> = {
  stop: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

interface Chunk {
  error?: VendorError | string;
  code?: unknown;
  choices?: Choice[];
  usage?: ChunkUsage | null;
  x_groq?: { usage?: ChunkUsage | null; error?: string };
}

interface Choice {
  delta?: {
    content?: string | null;
    refusal?: string | null;
    reasoning?: string | null;
    reasoning_content?: string | null;
    tool_calls?: CallPart[];
  };
  finish_reason?: string | null;
}

interface CallPart {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
  extra_content?: Record<string, unknown>;
}

interface ChunkUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  total_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number } | null;
  completion_tokens_details?: { reasoning_tokens?: number } | null;
}

export class ChatCompletionReader implements MessageReader {
  private finishReason: FinishReason | null = null;
  private done = false;
  private readonly calls: ToolCall[] = [];
  private readonly callsByIndex = new Map<number, ToolCall>();
  readonly fastPath = new RepeatedChunk();

  get state(): MessageReader['state'] {
    return this.done ? 'closed' : this.finishReason === null ? 'open' : 'whole';
  }

  read({ event, data }: SseMessage, batch: Batch): void {
    if (data === '[DONE]') this.done = true;
    else this.readChunk(JSON.parse(data) as Chunk, { event, data }, batch);
  }

  private readChunk(chunk: Chunk, { event, data }: SseMessage, batch: Batch): void {
    if (chunk.error || event === 'error') throw faultIn(chunk);
    const choice = chunk.choices?.[0];
    if (choice) this.readChoice(choice, batch);
    if (event === '' && isTextAlone(chunk)) this.fastPath.learn(data, choice!.delta!.content!);
    const usage = chunk.usage ?? chunk.x_groq?.usage;
    if (usage) batch.usage(readUsage(usage));
    if (chunk.x_groq?.error) throw new ProviderFault('unavailable', shortened(chunk.x_groq.error));
  }

  end(batch: Batch): void {
    for (const call of this.calls) {
      if (this.finishReason === 'length' && parseJson(call.function.arguments) === undefined) {
        batch.add({ type: 'warning', message: `A call of ${call.function.name} was cut off and is left out.` });
        continue;
      }
      call.function.arguments ||= '{}';
      batch.add({ type: 'tool_call', call });
    }
    // Some servers say `stop` after calling a tool.
    const reason = this.calls.length > 0 && this.finishReason === 'stop' ? 'tool_calls' : this.finishReason;
    batch.finish(reason ?? 'other');
  }

  private readChoice({ delta, finish_reason: reason }: Choice, batch: Batch): void {
    if (delta) {
      const reasoning = delta.reasoning_content || delta.reasoning;
      if (reasoning) batch.reasoning(reasoning);
      if (delta.content) batch.text(delta.content);
      if (delta.refusal) batch.text(delta.refusal);
      for (const part of delta.tool_calls ?? []) this.addCall(part);
    }
    if (reason === 'error' || reason === 'abort') throw new ProviderFault('unavailable', 'The provider gave up.');
    if (reason) this.finishReason = FINISH_REASONS[reason] ?? 'other';
  }

  private addCall({ index = 0, id, function: called, extra_content: extra }: CallPart): void {
    let call = this.callsByIndex.get(index);
    // Some servers number every call 0; a name with another id begins a new one.
    if (!call || (id && id !== call.id && called?.name)) {
      call = { id: id || `call_${this.calls.length}`, type: 'function', function: { name: '', arguments: '' } };
      this.calls.push(call);
      this.callsByIndex.set(index, call);
    }
    if (called?.name) call.function.name = called.name;
    call.function.arguments += called?.arguments ?? '';
    if (extra) call.extra_content = extra;
  }
}

function isTextAlone({ choices, usage, x_groq: groq }: Chunk): boolean {
  const [choice, another] = choices ?? [];
  const { content, refusal, reasoning, reasoning_content: thoughts, tool_calls: calls } = choice?.delta ?? {};
  const isElse = usage || groq || another || choice?.finish_reason || refusal || reasoning || thoughts || calls;
  return typeof content === 'string' && !isElse;
}

function readUsage(usage: ChunkUsage): Usage {
  const { prompt_tokens: input = 0, completion_tokens: output = 0, total_tokens: total } = usage;
  const { cached_tokens: cached, cache_write_tokens: written } = usage.prompt_tokens_details ?? {};
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  // xAI counts reasoning apart from the completion, which only the total shows.
  const isApart = total === input + output + reasoning;
  return usageOf(input, isApart ? output + reasoning : output, { cached, written, reasoning });
}

function faultIn({ error, code }: Chunk): ProviderFault {
  return faultOfVendorError(typeof error === 'object' ? error : { message: error, code });
}
