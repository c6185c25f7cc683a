import { z } from 'zod';
import type { ChatAnswer } from '../../core/agents/chat/run.ts';
import { chatRequestSchema, MAX_CHAT_BYTES } from '../../core/agents/chat/schema.ts';
import { eventStream, plainTextStream } from '../chat-stream.ts';
import { errorBodyOf } from '../errors.ts';
import { type Route, type RouteAnswer, route } from '../route.ts';

export const CHAT_STREAM = '/api/v1/runtime/v1/chat/stream';

/** Proxies must neither buffer nor compress the stream. */
const STREAMED = { 'cache-control': 'no-cache, no-store, no-transform', 'x-accel-buffering': 'no' };

export const chatRoutes: Route[] = [
  route({
    method: 'post',
    path: CHAT_STREAM,
    access: 'chat:write',
    tag: 'Chat',
    summary: 'Stream a chat completion',
    description:
      'Asks a model and streams its answer as plain text, or with `Accept: text/event-stream` as events (text, reasoning, ' +
      'tool_call, usage, warning, error, done). The status is decided with the first content: before it, errors have their ' +
      'own; after it, a failure breaks the connection off, so that an answer that ended cleanly is whole.',
    body: { schema: chatRequestSchema, maxBytes: MAX_CHAT_BYTES },
    headers: { accept: '`text/plain` (default) or `text/event-stream`.' },
    faults: {
      400: 'Invalid input, each message naming its field; or what the provider says of a request that it refuses.',
      422: 'The vendor has no key here; the message names what to set.',
      429: 'Too many requests, or chats at once; a quota or budget has no room; or the provider takes no more for now. See Retry-After.',
      502: 'The provider failed, or does not accept the key that is configured for it.',
      504: 'The provider did not answer in time.',
    },
    responses: {
      200: {
        description: 'The answer, as it comes.',
        content: {
          'text/plain': z.string().describe('Text, and nothing else.'),
          'text/event-stream': z.string().describe('Events with `event:` and JSON as `data:`; see docs/chat.md.'),
        },
        headers: {
          'x-execution-id': 'The execution that records the chat.',
          'x-provider': 'Who answers: another than the one asked for after a fallback.',
          'x-provider-name': 'Who that is among the configured ones.',
          'x-model': 'With which model.',
          'x-dropped-params':
            'Members of the request that the model does not take, comma-separated; a lowered one with both values: `temperature: 2 -> 1`.',
          'x-finish-reason': 'On an answer without any text: `tool_calls` for example.',
        },
      },
    },
    run: async ({ services, caller, body, releaseBody, preferred, setHeader, requestId, signal }) => {
      const run = await services.chat.begin(caller, body, signal);
      setHeader('x-execution-id', run.executionId);
      const answer = run.answer();
      answer.then(releaseBody, () => undefined);
      const contentType = preferred('text/plain', 'text/event-stream');
      return contentType === 'text/event-stream' ? asEvents(answer, run.executionId, requestId) : asText(answer);
    },
  }),
];

async function asText(pending: Promise<ChatAnswer>): Promise<RouteAnswer> {
  const answer = await pending;
  const { finishReason, chunks } = await plainTextStream(answer);
  const headers = { ...headersOf(answer), ...(finishReason === null ? {} : { 'x-finish-reason': finishReason }) };
  return { headers, stream: { contentType: 'text/plain; charset=utf-8', chunks } };
}

async function asEvents(answer: Promise<ChatAnswer>, executionId: string, requestId: string): Promise<RouteAnswer> {
  const chunks = eventStream({
    answer,
    executionId,
    errorBody: (error) => errorBodyOf(error, requestId),
  });
  // Starts the stream, so that a fast answer can set headers.
  const first = await chunks.next();
  const known = await Promise.race([answer, undefined]);
  return {
    headers: known ? headersOf(known) : STREAMED,
    stream: { contentType: 'text/event-stream; charset=utf-8', chunks: resumed(first, chunks) },
  };
}

async function* resumed(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    if (first.done) return;
    yield first.value;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

function headersOf({ provider, providerName, model, droppedParams }: ChatAnswer): Record<string, string> {
  return {
    ...STREAMED,
    'x-provider': provider,
    ...(providerName === null ? {} : { 'x-provider-name': providerName }),
    'x-model': encodeURI(model),
    ...(droppedParams.length > 0 ? { 'x-dropped-params': droppedParams.join(',') } : {}),
  };
}
