import Anthropic from '@anthropic-ai/sdk';
import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../../core/chat/provider.ts';
import type { UpstreamResponse } from '../../outbound/request.ts';
import { requestIdOf } from '../shared/faults.ts';
import { readEvents } from '../shared/reading.ts';
import { clientPerConnection, faultOfSdk, sdkOptions, sendRequest, withOwnHeaders } from '../shared/stainless.ts';
import { withWarnings } from '../shared/warnings.ts';
import { type AnthropicBody, anthropicRequest } from './body.ts';
import { AnthropicReader } from './reader.ts';

/** Claude, by the Messages API. */
export const anthropicProvider: ChatProvider = { stream };

/** How often an answer is asked to go on whose tools, run by the vendor, took longer than one request may. */
const MAX_CONTINUATIONS = 5;

type Ask = (body: AnthropicBody) => Promise<UpstreamResponse>;

const clientOf = clientPerConnection((connection) => {
  const client = new Anthropic({
    ...sdkOptions(connection, 'https://api.anthropic.com'),
    // Never null: the SDK would look for a key all over the machine.
    apiKey: connection.apiKey ?? '',
    webhookKey: null,
    openTelemetry: false,
  });
  // Servers that speak this API know the key by the older header alone.
  const key = { authorization: null, ...(connection.apiKey === null ? {} : { 'x-api-key': connection.apiKey }) };
  return withOwnHeaders(client, { ...key, ...connection.headers });
});

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { body, headers, warnings } = anthropicRequest(call);
  const client = clientOf(call.connection);
  const askFor: Ask = (asked) =>
    sendRequest(client, Anthropic.APIError, { path: '/v1/messages', headers, body: asked }, call).catch((error) => {
      throw faultOfSdk(error);
    });
  const answer = await askFor(body);
  // Only where the vendor runs tools is the answer ever to be continued, and what was asked kept for that.
  const runsTools = body.tools?.some((tool) => 'type' in tool) ?? false;
  const events = runsTools ? continuedAnswer(answer, body, askFor) : wholeAnswer(answer);
  return { requestId: requestIdOf(answer.headers), events: withWarnings(warnings, events) };
}

function wholeAnswer({ body }: UpstreamResponse): AsyncGenerator<ChatEvent[]> {
  return readEvents(body, new AnthropicReader({ mayContinue: false }));
}

async function* continuedAnswer(
  first: UpstreamResponse,
  body: AnthropicBody,
  askFor: Ask,
): AsyncGenerator<ChatEvent[]> {
  let answer = first;
  let asked = body;
  let before: AnthropicReader['usage'] = null;
  for (let left = MAX_CONTINUATIONS; ; left--) {
    const reader = new AnthropicReader({ mayContinue: left > 0, before });
    yield* readEvents(answer.body, reader);
    if (!reader.paused) return;
    const { content, container } = reader.paused;
    before = reader.usage;
    const said = content.length > 0 ? [{ role: 'assistant' as const, content }] : [];
    asked = { ...asked, messages: [...asked.messages, ...said], ...(container ? { container } : {}) };
    answer = await askFor(asked);
  }
}
