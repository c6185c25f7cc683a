import type {
  ResponseFunctionToolCall,
  ResponseOutputItem,
  ResponseOutputMessage,
  ResponseReasoningItem,
  ResponseStreamEvent,
} from 'openai/resources/responses/responses';
import type { Piece } from './outcomes.ts';
import { callId, type Exchange, type Message, partsOf } from './protocol.ts';

type Numbered = Exclude<ResponseStreamEvent, { response: object }>;
/** Whoever sends it numbers it. */
export type Event = Numbered extends infer One ? (One extends Numbered ? Omit<One, 'sequence_number'> : never) : never;

type Kind = 'text' | 'refusal' | 'reasoning';

/** The items of a response's output: each is added, told in deltas, and given once more when it is done. */
export class OutputItems {
  readonly output: ResponseOutputItem[] = [];
  private readonly exchange: Exchange;
  private readonly message: (event: Event) => Message;
  /** Neighbouring pieces of one kind share an item. */
  private open: { kind: Kind; id: string; text: string } | null = null;

  constructor(exchange: Exchange, message: (event: Event) => Message) {
    this.exchange = exchange;
    this.message = message;
  }

  of(piece: Piece): Message[] {
    switch (piece.type) {
      case 'text':
      case 'refusal':
      case 'reasoning':
        return this.events([...this.opened(piece.type), ...this.delta(piece.text)]);
      case 'toolCall':
        return this.events([...this.closed(), ...this.functionCall(piece)]);
      default:
        return [];
    }
  }

  close(): Message[] {
    return this.events(this.closed());
  }

  private events(events: Event[]): Message[] {
    return events.map(this.message);
  }

  private opened(kind: Kind): Event[] {
    if (this.open?.kind === kind) return [];
    const before = this.closed();
    const output_index = this.output.length;
    const id = `${kind === 'reasoning' ? 'rs' : 'msg'}_fake${this.exchange.number}x${output_index}`;
    this.open = { kind, id, text: '' };
    const at = { item_id: id, output_index };
    if (kind === 'reasoning')
      return [
        ...before,
        { type: 'response.output_item.added', output_index, item: { type: 'reasoning', id, summary: [] } },
        {
          type: 'response.reasoning_summary_part.added',
          ...at,
          summary_index: 0,
          part: { type: 'summary_text', text: '' },
        },
      ];
    const item = {
      type: 'message' as const,
      id,
      role: 'assistant' as const,
      status: 'in_progress' as const,
      content: [],
    };
    return [
      ...before,
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.content_part.added', ...at, content_index: 0, part: contentPart(kind, '') },
    ];
  }

  private delta(delta: string): Event[] {
    const { kind, id } = this.open!;
    this.open!.text += delta;
    const at = { item_id: id, output_index: this.output.length };
    if (kind === 'reasoning')
      return [{ type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta }];
    if (kind === 'refusal') return [{ type: 'response.refusal.delta', ...at, content_index: 0, delta }];
    return [{ type: 'response.output_text.delta', ...at, content_index: 0, delta, logprobs: [] }];
  }

  private closed(): Event[] {
    if (!this.open) return [];
    const { kind, id, text } = this.open;
    this.open = null;
    const output_index = this.output.length;
    const at = { item_id: id, output_index };
    if (kind === 'reasoning') {
      const part = { type: 'summary_text' as const, text };
      const item: ResponseReasoningItem = { type: 'reasoning', id, summary: [part] };
      this.output.push(item);
      return [
        { type: 'response.reasoning_summary_text.done', ...at, summary_index: 0, text },
        { type: 'response.reasoning_summary_part.done', ...at, summary_index: 0, part },
        { type: 'response.output_item.done', output_index, item },
      ];
    }
    const part = contentPart(kind, text);
    const item: ResponseOutputMessage = {
      type: 'message',
      id,
      role: 'assistant',
      status: 'completed',
      content: [part],
    };
    this.output.push(item);
    return [
      kind === 'refusal'
        ? { type: 'response.refusal.done', ...at, content_index: 0, refusal: text }
        : { type: 'response.output_text.done', ...at, content_index: 0, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, content_index: 0, part },
      { type: 'response.output_item.done', output_index, item },
    ];
  }

  private functionCall(piece: Extract<Piece, { type: 'toolCall' }>): Event[] {
    const output_index = this.output.length;
    const id = `fc_fake${this.exchange.number}x${output_index}`;
    const at = { item_id: id, output_index };
    const call_id = callId(piece.id, this.exchange, output_index);
    const item: ResponseFunctionToolCall = {
      ...{ type: 'function_call', id, call_id, name: piece.name, arguments: piece.arguments, status: 'completed' },
    };
    this.output.push(item);
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, arguments: '', status: 'in_progress' } },
      ...partsOf(piece.arguments, 3).map((delta) => ({
        type: 'response.function_call_arguments.delta' as const,
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, arguments: piece.arguments },
      { type: 'response.output_item.done', output_index, item },
    ];
  }
}

function contentPart(kind: 'text' | 'refusal', text: string): ResponseOutputMessage['content'][number] {
  return kind === 'refusal'
    ? { type: 'refusal', refusal: text }
    : { type: 'output_text', text, annotations: [], logprobs: [] };
}
