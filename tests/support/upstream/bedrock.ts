import type { ConverseStreamOutput, StopReason, TokenUsage } from '@aws-sdk/client-bedrock-runtime';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';
import type { Answer, ErrorKind, Finish, Piece } from './outcomes.ts';
import { callId, type Exchange, type Message, type Protocol, partsOf, type Transcript } from './protocol.ts';

/** Each member of the union names one event. */
type EventName =
  | 'messageStart'
  | 'contentBlockStart'
  | 'contentBlockDelta'
  | 'contentBlockStop'
  | 'messageStop'
  | 'metadata';
type Payload<Name extends EventName> = NonNullable<Extract<ConverseStreamOutput, Record<Name, object>>[Name]>;

/** ConverseStream of Bedrock: binary frames of AWS. */
export const bedrock: Protocol = {
  contentType: 'application/vnd.amazon.eventstream',
  transcript,
  error: (kind) => ({ name: EXCEPTIONS[kind].name, data: { message: EXCEPTIONS[kind].message }, form: 'exception' }),
  // An error that the model of the service does not know stands in the headers alone.
  failure: () => ({ name: 'InternalFailure', data: 'The service failed.', form: 'error' }),
  encode,
};

function transcript({ pieces, finish, usage }: Answer, exchange: Exchange): Transcript {
  const blocks = new Blocks(exchange);
  return {
    opening: [event('messageStart', { role: 'assistant' })],
    pieces: pieces.map((piece) => blocks.of(piece)),
    closing: [
      ...blocks.close(),
      event('messageStop', { stopReason: STOP_REASON[finish] }),
      ...(usage ? [event('metadata', { usage: usageOf(usage), metrics: { latencyMs: 321 } })] : []),
    ],
  };
}

/** Neighbouring texts share a block, which nothing opens: only calls have a start. */
class Blocks {
  private readonly exchange: Exchange;
  private index = 0;
  private open: 'text' | 'reasoning' | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  of(piece: Piece): Message[] {
    switch (piece.type) {
      case 'text':
      case 'refusal':
        return [...this.opened('text'), this.delta({ text: piece.text })];
      case 'reasoning': {
        const { text, signature } = piece;
        const thought = [...this.opened('reasoning'), this.delta({ reasoningContent: { text } })];
        if (signature === undefined) return thought;
        return [...thought, this.delta({ reasoningContent: { signature } }), ...this.close()];
      }
      case 'toolCall':
        return [...this.close(), ...this.toolUse(piece)];
      default:
        return [];
    }
  }

  close(): Message[] {
    if (!this.open) return [];
    this.open = null;
    return [event('contentBlockStop', { contentBlockIndex: this.index++ })];
  }

  private opened(kind: 'text' | 'reasoning'): Message[] {
    if (this.open === kind) return [];
    const before = this.close();
    this.open = kind;
    return before;
  }

  private toolUse({ id, name, arguments: json }: Extract<Piece, { type: 'toolCall' }>): Message[] {
    const contentBlockIndex = this.index++;
    const toolUseId = callId(id, this.exchange, contentBlockIndex);
    return [
      event('contentBlockStart', { contentBlockIndex, start: { toolUse: { toolUseId, name } } }),
      ...partsOf(json, 3).map((input) =>
        event('contentBlockDelta', { contentBlockIndex, delta: { toolUse: { input } } }),
      ),
      event('contentBlockStop', { contentBlockIndex }),
    ];
  }

  private delta(delta: NonNullable<Payload<'contentBlockDelta'>['delta']>): Message {
    return event('contentBlockDelta', { contentBlockIndex: this.index, delta });
  }
}

/** `p` is padding: it hides how long a token is. */
function event<Name extends EventName>(name: Name, payload: Payload<Name>): Message {
  return { name, data: { ...payload, p: 'abcdefgh' } };
}

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/** A frame: lengths, headers, body, and the checksums of both. */
function encode({ name, data, form }: Message): Buffer {
  const text = (value: string) => ({ type: 'string' as const, value });
  const body = typeof data === 'string' ? data : JSON.stringify(data);
  const kind = { ':message-type': text(form ?? 'event') };
  const headers =
    form === 'error'
      ? { ...kind, ':error-code': text(name ?? ''), ':error-message': text(body) }
      : { [`:${form ?? 'event'}-type`]: text(name ?? ''), ':content-type': text('application/json'), ...kind };
  return Buffer.from(codec.encode({ headers, body: form === 'error' ? Buffer.alloc(0) : Buffer.from(body) }));
}

const STOP_REASON: Record<Finish, StopReason> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'content_filtered',
  pause_turn: 'end_turn',
};

/** What was read from and written to a cache is counted beside the other input, and within the total. */
function usageOf(usage: ChatUsage): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usage;
  return {
    inputTokens: inputTokens - (cachedInputTokens ?? 0) - (cacheWriteTokens ?? 0),
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    ...(cachedInputTokens === undefined ? {} : { cacheReadInputTokens: cachedInputTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteInputTokens: cacheWriteTokens }),
  };
}

const EXCEPTIONS: Record<ErrorKind, { name: string; message: string }> = {
  server: { name: 'internalServerException', message: 'The system encountered an unexpected error.' },
  overloaded: { name: 'serviceUnavailableException', message: 'The service is not available.' },
  rateLimited: { name: 'throttlingException', message: 'Too many requests, please wait before trying again.' },
};
