import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { type ChatUsage, type FaultKind, type FinishReason, ProviderFault } from '../../core/agents/chat/provider.ts';
import { shortMessage } from '../shared/faults.ts';
import { type EventBatch, type MessageReader, usageOf } from '../shared/reading.ts';
import type { SseMessage } from '../shared/sse.ts';
import { type Thought, ThoughtCollector } from '../shared/turns.ts';

export interface AnthropicBlock {
  type: string;
  [member: string]: unknown;
}

export interface Delta {
  type: string;
  [member: string]: unknown;
}

export class AnswerBlocks {
  private readonly blocks = new Map<number, AnthropicBlock>();
  private readonly json = new Map<number, string>();

  begin(index: number, block: AnthropicBlock): void {
    this.blocks.set(index, { ...block });
  }

  add(index: number, delta: Delta): void {
    const block = this.block(index);
    switch (delta.type) {
      case 'text_delta':
        block.text = textOf(block.text) + textOf(delta.text);
        break;
      case 'thinking_delta':
        block.thinking = textOf(block.thinking) + textOf(delta.thinking);
        break;
      case 'signature_delta':
        block.signature = textOf(delta.signature);
        break;
      case 'input_json_delta':
        this.json.set(index, (this.json.get(index) ?? '') + textOf(delta.partial_json));
        break;
      case 'citations_delta':
        this.citationsOf(block).push(delta.citation);
    }
  }

  /** Throws a TypeError if it has not begun. */
  block(index: number): AnthropicBlock {
    const block = this.blocks.get(index);
    if (!block) throw new TypeError('a part of a block that has not begun');
    return block;
  }

  argumentsOf(index: number): string {
    const input = this.block(index).input;
    return this.json.get(index) || JSON.stringify(input ?? {});
  }

  /** Omits blank texts, which the API refuses. Throws a SyntaxError for invalid input. */
  all(): ContentBlockParam[] {
    const whole = [...this.blocks]
      .sort(([one], [other]) => one - other)
      .map(([index, block]): AnthropicBlock => {
        const input = this.json.get(index);
        return input ? { ...block, input: JSON.parse(input) } : block;
      });
    return whole.filter(
      ({ type, text }) => type !== 'text' || textOf(text).trim() !== '',
    ) as unknown as ContentBlockParam[];
  }

  private citationsOf(block: AnthropicBlock): unknown[] {
    if (!Array.isArray(block.citations)) block.citations = [];
    return block.citations as unknown[];
  }
}

/** Throws a TypeError for any other value. */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

const FINISH_REASONS: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

interface StreamEvent {
  type: string;
  index?: number;
  content_block?: AnthropicBlock;
  delta?: Delta & { stop_reason?: string | null; stop_details?: { explanation?: string | null } | null } & Held;
  message?: Held & { usage?: Counts | null };
  usage?: Counts | null;
  error?: { type?: string; message?: string };
}

interface Held {
  container?: { id?: string } | null;
}

interface Counts {
  input_tokens?: number | null;
  cache_read_input_tokens?: number | null;
  cache_creation_input_tokens?: number | null;
  output_tokens?: number | null;
  output_tokens_details?: { thinking_tokens?: number } | null;
}

export interface ReaderOptions {
  mayContinue: boolean;
  before?: ChatUsage | null;
}

export class AnthropicReader implements MessageReader {
  state: 'open' | 'closed' = 'open';
  usage: ChatUsage | null;
  paused: { content: ContentBlockParam[]; container: string | undefined } | null = null;
  private readonly options: ReaderOptions;
  private readonly blocks = new AnswerBlocks();
  private readonly thoughts = new ThoughtCollector();
  private counts: Counts = {};
  private stopReason: string | null = null;
  private containerId: string | undefined;

  constructor(options: ReaderOptions) {
    this.options = options;
    this.usage = options.before ?? null;
  }

  read({ data }: SseMessage, batch: EventBatch): void {
    const event = JSON.parse(data) as StreamEvent;
    switch (event.type) {
      case 'content_block_delta':
        this.readDelta(event.index!, event.delta!, batch);
        break;
      case 'content_block_start':
        this.begin(event.index!, event.content_block!, batch);
        break;
      case 'content_block_stop':
        this.stop(event.index!, batch);
        break;
      case 'message_start':
        this.containerId = event.message!.container?.id;
        this.count(event.message!.usage, batch);
        break;
      case 'message_delta':
        this.readEnding(event, batch);
        break;
      case 'message_stop':
        this.close();
        break;
      case 'error':
        throw faultIn(event);
    }
  }

  end(batch: EventBatch): void {
    if (this.paused) return;
    if (this.stopReason === 'pause_turn') {
      batch.add({ type: 'warning', message: 'The provider paused its tools again and again; the answer ends there.' });
    }
    batch.finish(FINISH_REASONS[this.stopReason ?? ''] ?? 'other');
  }

  private close(): void {
    this.state = 'closed';
    if (this.stopReason !== 'pause_turn' || !this.options.mayContinue) return;
    this.paused = { content: this.blocks.all(), container: this.containerId };
  }

  private begin(index: number, block: AnthropicBlock, batch: EventBatch): void {
    this.blocks.begin(index, block);
    if (block.type === 'text') {
      this.thoughts.observe('text');
      batch.text(textOf(block.text ?? ''));
    } else if (block.type === 'thinking') {
      batch.reasoning(textOf(block.thinking ?? ''));
    } else if (block.type !== 'redacted_thinking' && block.type !== 'tool_use') {
      this.thoughts.observe('other');
    }
  }

  private readDelta(index: number, delta: Delta, batch: EventBatch): void {
    if (delta.type === 'text_delta') {
      batch.text(textOf(delta.text));
      // Texts are only sent back to continue an answer.
      if (!this.options.mayContinue) return;
    }
    if (delta.type === 'thinking_delta') batch.reasoning(textOf(delta.thinking));
    this.blocks.add(index, delta);
  }

  private stop(index: number, batch: EventBatch): void {
    const block = this.blocks.block(index);
    if (block.type === 'thinking' || block.type === 'redacted_thinking') this.thoughts.add(block as unknown as Thought);
    if (block.type !== 'tool_use') return;
    const called = { name: textOf(block.name), arguments: this.blocks.argumentsOf(index) };
    const call = this.thoughts.attachTo({ id: textOf(block.id), type: 'function', function: called });
    batch.add({ type: 'tool_call', call });
  }

  private readEnding({ delta, usage }: StreamEvent, batch: EventBatch): void {
    this.stopReason = delta!.stop_reason ?? this.stopReason;
    this.containerId = delta!.container?.id ?? this.containerId;
    const explanation = delta!.stop_details?.explanation;
    if (explanation) batch.add({ type: 'warning', message: shortMessage(explanation) });
    this.count(usage, batch);
  }

  /** Counts are totals; a missing one is unchanged. */
  private count(counts: Counts | null | undefined, batch: EventBatch): void {
    if (!counts) return;
    const known = Object.entries(counts).filter(([, value]) => value !== null);
    this.counts = { ...this.counts, ...Object.fromEntries(known) };
    this.usage = sum(this.options.before ?? null, readUsage(this.counts));
    batch.add({ type: 'usage', usage: this.usage });
  }
}

/** Anthropic counts cached input apart from other input. */
function readUsage(counts: Counts): ChatUsage {
  const cached = counts.cache_read_input_tokens ?? 0;
  const written = counts.cache_creation_input_tokens ?? 0;
  const reasoning = counts.output_tokens_details?.thinking_tokens;
  return usageOf((counts.input_tokens ?? 0) + cached + written, counts.output_tokens ?? 0, {
    cached,
    written,
    reasoning,
  });
}

function sum(before: ChatUsage | null, usage: ChatUsage): ChatUsage {
  const total: ChatUsage = { ...usage };
  for (const [name, tokens] of Object.entries(before ?? {}) as [keyof ChatUsage, number][]) {
    total[name] = (total[name] ?? 0) + tokens;
  }
  return total;
}

const ERRORS: Record<string, [FaultKind, number]> = {
  invalid_request_error: ['refused', 400],
  authentication_error: ['credential', 401],
  billing_error: ['credential', 402],
  permission_error: ['credential', 403],
  not_found_error: ['refused', 404],
  request_too_large: ['refused', 413],
  rate_limit_error: ['rate_limited', 429],
  api_error: ['unavailable', 500],
  timeout_error: ['unavailable', 504],
  overloaded_error: ['unavailable', 529],
};

function faultIn({ error }: StreamEvent): ProviderFault {
  const [kind, status] = ERRORS[error?.type ?? ''] ?? ['unavailable', null];
  return new ProviderFault(kind, shortMessage(error?.message ?? 'The provider failed.'), { status });
}
