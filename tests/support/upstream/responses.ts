import type { Response, ResponseStreamEvent, ResponseUsage } from 'openai/resources/responses/responses';
import type { ChatUsage } from '../../../src/core/agents/chat/provider.ts';
import type { Answer, ErrorKind } from './outcomes.ts';
import { CREATED, type Exchange, type Message, type Protocol, type Transcript } from './protocol.ts';
import { type Event, OutputItems } from './responses-items.ts';
import { encodeEvent } from './sse.ts';

/** Responses of OpenAI. */
export const responses: Protocol = {
  contentType: 'text/event-stream; charset=utf-8',
  transcript,
  error: (kind) => ({ name: 'error', data: { type: 'error', ...ERRORS[kind], param: null, sequence_number: 99 } }),
  failure: (exchange) => {
    const failed = {
      ...responseOf(exchange),
      status: 'failed' as const,
      error: { ...FAILURE, code: 'server_error' as const },
    };
    return { name: 'response.failed', data: { type: 'response.failed', response: failed, sequence_number: 99 } };
  },
  encode: (message, wire) => encodeEvent(message, wire),
};

function transcript({ pieces, finish, usage }: Answer, exchange: Exchange): Transcript {
  let sequence = 0;
  const message = (data: Event): Message => ({ name: data.type, data: { ...data, sequence_number: sequence++ } });
  const life = (type: LifeEvent['type'], response: WireResponse): Message => ({
    name: type,
    data: { type, response, sequence_number: sequence++ } satisfies LifeEvent,
  });
  const items = new OutputItems(exchange, message);
  const opening = [life('response.created', responseOf(exchange)), life('response.in_progress', responseOf(exchange))];
  const said = pieces.map((piece) => items.of(piece));
  const closed = items.close();
  const ended = { ...responseOf(exchange), output: items.output, usage: usage && usageOf(usage) };
  const reason = INCOMPLETE[finish];
  const last = reason
    ? life('response.incomplete', { ...ended, status: 'incomplete', incomplete_details: { reason } })
    : life('response.completed', { ...ended, status: 'completed', completed_at: CREATED + 2 });
  return { opening, pieces: said, closing: [...closed, last] };
}

/** `output_text` is the SDK's own, and usage is null until the end. */
type WireResponse = Omit<Response, 'output_text' | 'access_programs' | 'usage'> & { usage: ResponseUsage | null };
type WithResponse = Extract<ResponseStreamEvent, { response: Response }>;
type LifeEvent = Omit<WithResponse, 'response'> & { response: WireResponse };

/** A response that has just begun. */
function responseOf({ model, number }: Exchange): WireResponse {
  return {
    id: `resp_fake${number}`,
    object: 'response',
    created_at: CREATED,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    service_tier: 'default',
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'auto',
    tools: [],
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    usage: null,
  };
}

/** Only these end a response before it is complete. */
const INCOMPLETE: Partial<Record<Answer['finish'], 'max_output_tokens' | 'content_filter'>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

function usageOf(usage: ChatUsage): ResponseUsage {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: inputTokens + outputTokens,
  };
}

const FAILURE = { message: 'An error occurred while processing your request.' };

const ERRORS: Record<ErrorKind, { code: string; message: string }> = {
  server: { code: 'server_error', ...FAILURE },
  overloaded: {
    code: 'server_is_overloaded',
    message: 'Our servers are currently overloaded. Please try again later.',
  },
  rateLimited: { code: 'rate_limit_exceeded', message: 'Rate limit reached.' },
};
