import Anthropic from '@anthropic-ai/sdk';
import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../../core/agents/chat/provider.ts';
import type { UpstreamResponse } from '../../outbound/request.ts';
import { requestIdOf } from '../shared/faults.ts';
import { readEvents } from '../shared/reading.ts';
import { clientPerConnection, faultOfSdk, sdkOptions, sendRequest, withOwnHeaders } from '../shared/sdk-requests.ts';
import { withWarnings } from '../shared/settings.ts';
import { type AnthropicBody, anthropicRequest } from './body.ts';
import { AnthropicReader } from './reader.ts';

export const anthropicProvider: ChatProvider = { stream };

const MAX_CONTINUATIONS = 5;

type Send = (body: AnthropicBody) => Promise<UpstreamResponse>;

const clientOf = clientPerConnection((connection) => {
  const client = new Anthropic({
    ...sdkOptions(connection, 'https://api.anthropic.com'),
    // Never null: the SDK would search the machine for a key.
    apiKey: connection.apiKey ?? '',
    webhookKey: null,
    openTelemetry: false,
  });
  // Other servers with this API know only the older header.
  const key = { authorization: null, ...(connection.apiKey === null ? {} : { 'x-api-key': connection.apiKey }) };
  return withOwnHeaders(client, { ...key, ...connection.headers });
});

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { body, headers, warnings } = anthropicRequest(call);
  const client = clientOf(call.connection);
  const send: Send = (wanted) =>
    sendRequest(client, Anthropic.APIError, { path: '/v1/messages', headers, body: wanted }, call).catch((error) => {
      throw faultOfSdk(error);
    });
  const answer = await send(body);
  // Only answers with the vendor's tools are continued, so only those keep the request.
  const runsTools = body.tools?.some((tool) => 'type' in tool) ?? false;
  const events = runsTools ? continuedAnswer(answer, body, send) : wholeAnswer(answer);
  return { requestId: requestIdOf(answer.headers), events: withWarnings(warnings, events) };
}

function wholeAnswer({ body }: UpstreamResponse): AsyncGenerator<ChatEvent[]> {
  return readEvents(body, new AnthropicReader({ mayContinue: false }));
}

async function* continuedAnswer(first: UpstreamResponse, body: AnthropicBody, send: Send): AsyncGenerator<ChatEvent[]> {
  let answer = first;
  let request = body;
  let before: AnthropicReader['usage'] = null;
  for (let left = MAX_CONTINUATIONS; ; left--) {
    const reader = new AnthropicReader({ mayContinue: left > 0, before });
    yield* readEvents(answer.body, reader);
    if (!reader.paused) return;
    const { content, container } = reader.paused;
    before = reader.usage;
    const said = content.length > 0 ? [{ role: 'assistant' as const, content }] : [];
    request = { ...request, messages: [...request.messages, ...said], ...(container ? { container } : {}) };
    answer = await send(request);
  }
}
