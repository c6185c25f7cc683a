import type {
  Message as AnthropicMessage,
  RawMessageStreamEvent,
  StopReason,
} from '@anthropic-ai/sdk/resources/messages';
import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';
import type { Answer, ErrorKind, Finish, Piece } from './outcomes.ts';
import { callId, type Exchange, type Message, type Protocol, partsOf, type Transcript } from './protocol.ts';
import { encodeEvent } from './sse.ts';

/** Messages of Anthropic. */
export const anthropic: Protocol = {
  contentType: 'text/event-stream; charset=utf-8',
  transcript,
  error: (kind, { requestId }) => ({
    name: 'error',
    data: { type: 'error', error: ERRORS[kind], request_id: requestId },
  }),
  encode: (message, wire) => encodeEvent(message, wire),
};

function transcript({ pieces, finish, usage }: Answer, exchange: Exchange): Transcript {
  const blocks = new Blocks(exchange);
  return {
    opening: [
      event({ type: 'message_start', message: emptyMessage(exchange, usage) }),
      { name: 'ping', data: { type: 'ping' } },
    ],
    pieces: pieces.map((piece) => blocks.of(piece)),
    closing: [...blocks.close(), event(messageDelta(finish, usage)), event({ type: 'message_stop' })],
  };
}

/** Neighbouring texts share a block, as do neighbouring thoughts until they are signed. */
class Blocks {
  private readonly exchange: Exchange;
  private index = 0;
  private open: 'text' | 'thinking' | null = null;

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  of(piece: Piece): Message[] {
    switch (piece.type) {
      case 'text':
      case 'refusal':
        return [...this.opened('text'), this.delta({ type: 'text_delta', text: piece.text })];
      case 'reasoning':
        return [
          ...this.opened('thinking'),
          this.delta({ type: 'thinking_delta', thinking: piece.text }),
          ...(piece.signature === undefined
            ? []
            : [this.delta({ type: 'signature_delta', signature: piece.signature }), ...this.close()]),
        ];
      case 'toolCall':
        return [...this.close(), ...this.toolUse(piece)];
      default:
        return [];
    }
  }

  close(): Message[] {
    if (!this.open) return [];
    this.open = null;
    return [event({ type: 'content_block_stop', index: this.index++ })];
  }

  private opened(kind: 'text' | 'thinking'): Message[] {
    if (this.open === kind) return [];
    const before = this.close();
    this.open = kind;
    return [
      ...before,
      event({
        type: 'content_block_start',
        index: this.index,
        content_block:
          kind === 'text'
            ? { type: 'text', text: '', citations: null }
            : { type: 'thinking', thinking: '', signature: '' },
      }),
    ];
  }

  private toolUse({ id, name, arguments: json }: Extract<Piece, { type: 'toolCall' }>): Message[] {
    const index = this.index++;
    const block = { type: 'tool_use' as const, id: callId(id, this.exchange, index), name, input: {} };
    return [
      event({ type: 'content_block_start', index, content_block: { ...block, caller: { type: 'direct' } } }),
      // The first delta of a call is empty.
      ...['', ...partsOf(json, 3)].map((part) =>
        event({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: part } }),
      ),
      event({ type: 'content_block_stop', index }),
    ];
  }

  private delta(delta: Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta']): Message {
    return event({ type: 'content_block_delta', index: this.index, delta });
  }
}

function event(data: RawMessageStreamEvent): Message {
  return { name: data.type, data };
}

function emptyMessage({ model, number }: Exchange, usage: ChatUsage | null): AnthropicMessage {
  return {
    id: `msg_fake${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    container: null,
    diagnostics: null,
    stop_details: null,
    stop_reason: null,
    stop_sequence: null,
    usage: {
      ...inputOf(usage),
      cache_creation: { ephemeral_5m_input_tokens: usage?.cacheWriteTokens ?? 0, ephemeral_1h_input_tokens: 0 },
      // So far: what the end says replaces it.
      output_tokens: usage ? 1 : 0,
      output_tokens_details: null,
      server_tool_use: null,
      service_tier: 'standard',
      speed: 'standard',
      inference_geo: null,
    },
  };
}

function messageDelta(finish: Finish, usage: ChatUsage | null): RawMessageStreamEvent {
  const refused = finish === 'content_filter';
  return {
    type: 'message_delta',
    delta: {
      container: null,
      stop_reason: STOP_REASON[finish],
      stop_sequence: null,
      stop_details: refused ? { type: 'refusal', category: 'general_harms', explanation: null } : null,
    },
    usage: {
      ...inputOf(usage),
      output_tokens: usage?.outputTokens ?? 0,
      output_tokens_details: usage?.reasoningTokens === undefined ? null : { thinking_tokens: usage.reasoningTokens },
      server_tool_use: null,
    },
  };
}

/** Anthropic counts what was read from and written to a cache beside the other input. */
function inputOf(usage: ChatUsage | null) {
  const { inputTokens = 0, cachedInputTokens = 0, cacheWriteTokens = 0 } = usage ?? {};
  return {
    input_tokens: inputTokens - cachedInputTokens - cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    cache_creation_input_tokens: cacheWriteTokens,
  };
}

const STOP_REASON: Record<Finish, StopReason> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  pause_turn: 'pause_turn',
};

const ERRORS: Record<ErrorKind, { type: string; message: string }> = {
  server: { type: 'api_error', message: 'Internal server error' },
  overloaded: { type: 'overloaded_error', message: 'Overloaded' },
  rateLimited: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
};
