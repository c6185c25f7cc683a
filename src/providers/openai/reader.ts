import type { ResponseReasoningItem } from 'openai/resources/responses/responses';
import { type ChatUsage, type FinishReason, ProviderFault, type ToolCall } from '../../core/agents/chat/provider.ts';
import { faultOfVendorError, type VendorError } from '../shared/faults.ts';
import { type EventBatch, type MessageReader, usageOf } from '../shared/reading.ts';
import type { SseMessage } from '../shared/sse.ts';

/** Encrypted. OpenAI wants it back with the calls that followed. */
export type SealedReasoning = Pick<ResponseReasoningItem, 'type' | 'id' | 'summary'> & { encrypted_content: string };

export function reasoningOf({ extra_content: extra }: Record<string, unknown>): SealedReasoning[] {
  const { openai } = (extra ?? {}) as { openai?: { reasoning?: unknown } | null };
  const reasoning = openai?.reasoning;
  return Array.isArray(reasoning) ? reasoning.flatMap(readReasoning) : [];
}

/** Only the members that OpenAI accepts back. */
function readReasoning(value: unknown): SealedReasoning[] {
  const { type, id, summary, encrypted_content: sealed } = (value ?? {}) as Record<string, unknown>;
  const isWhole =
    type === 'reasoning' && typeof id === 'string' && Array.isArray(summary) && typeof sealed === 'string';
  return isWhole && sealed !== '' ? [{ type, id, summary, encrypted_content: sealed }] : [];
}

/** Chat Completions can express reasoning only at the start or between calls. */
export class SealedReasoningCollector {
  private reasoning: SealedReasoning[] = [];
  private before: 'nothing' | 'call' | 'other' = 'nothing';

  observe(item: { type?: string }): void {
    if (item.type === 'reasoning') {
      if (this.before !== 'other') this.reasoning.push(...readReasoning(item));
      return;
    }
    // SealedReasoning before the text belongs to the first call, which comes after both.
    if (item.type !== 'message' || this.before === 'call') this.reasoning = [];
    this.before = 'other';
  }

  attachTo(call: ToolCall): ToolCall {
    const reasoning = this.reasoning;
    this.reasoning = [];
    this.before = 'call';
    return reasoning.length === 0 ? call : { ...call, extra_content: { openai: { reasoning } } };
  }
}

interface StreamEvent extends VendorError {
  type?: string;
  delta?: string;
  summary_index?: number;
  item?: Item;
  response?: Answer;
  error?: VendorError | null;
}

interface Item {
  type?: string;
  status?: string | null;
  call_id?: string;
  name?: string;
  arguments?: string;
}

interface Answer {
  error?: VendorError | null;
  incomplete_details?: { reason?: string } | null;
  usage?: AnswerUsage | null;
}

interface AnswerUsage {
  input_tokens?: number;
  output_tokens?: number;
  input_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number } | null;
  output_tokens_details?: { reasoning_tokens?: number } | null;
}

const INCOMPLETE: Record<string, FinishReason> = { max_output_tokens: 'length', content_filter: 'content_filter' };

export class ResponsesReader implements MessageReader {
  private finishReason: FinishReason | null = null;
  private hasCalled = false;
  private readonly reasoning = new SealedReasoningCollector();

  get state(): MessageReader['state'] {
    return this.finishReason === null ? 'open' : 'closed';
  }

  read({ data }: SseMessage, batch: EventBatch): void {
    const event = JSON.parse(data) as StreamEvent;
    switch (event.type) {
      case 'response.output_text.delta':
      case 'response.refusal.delta':
        batch.text(event.delta ?? '');
        break;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        batch.reasoning(event.delta ?? '');
        break;
      case 'response.reasoning_summary_part.added':
        // Each part is a paragraph, without a line break of its own.
        if (event.summary_index) batch.reasoning('\n\n');
        break;
      case 'response.output_item.done':
        this.readItem(event.item, batch);
        break;
      case 'response.completed':
        this.finish(this.hasCalled ? 'tool_calls' : 'stop', event.response, batch);
        break;
      case 'response.incomplete':
        this.finish(INCOMPLETE[event.response?.incomplete_details?.reason ?? ''] ?? 'other', event.response, batch);
        break;
      case 'response.failed':
        throw faultOfVendorError(event.response?.error ?? {});
      default:
        // OpenAI nests the error or not; compatible servers may send nothing else.
        if (event.error || event.type === 'error')
          throw faultOfVendorError(event.error ?? { ...event, type: undefined });
    }
  }

  end(batch: EventBatch): void {
    batch.finish(this.finishReason ?? 'other');
  }

  private readItem(item: Item | undefined, batch: EventBatch): void {
    if (item?.type !== 'function_call') {
      this.reasoning.observe(item ?? {});
      return;
    }
    const { call_id: id, name = '', arguments: text = '' } = item;
    if (!id) throw new ProviderFault('broken', 'The provider called a function without an id.');
    if (item.status === 'incomplete') {
      this.reasoning.observe(item);
      batch.add({ type: 'warning', message: `A call of ${name} was cut off and is left out.` });
      return;
    }
    this.hasCalled = true;
    const call = this.reasoning.attachTo({ id, type: 'function', function: { name, arguments: text || '{}' } });
    batch.add({ type: 'tool_call', call });
  }

  private finish(reason: FinishReason, answer: Answer | undefined, batch: EventBatch): void {
    if (answer?.usage) batch.usage(readUsage(answer.usage));
    this.finishReason = reason;
  }
}

function readUsage(usage: AnswerUsage): ChatUsage {
  const { cached_tokens: cached, cache_write_tokens: written } = usage.input_tokens_details ?? {};
  const reasoning = usage.output_tokens_details?.reasoning_tokens;
  return usageOf(usage.input_tokens ?? 0, usage.output_tokens ?? 0, { cached, written, reasoning });
}
