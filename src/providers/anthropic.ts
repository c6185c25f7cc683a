import Anthropic from '@anthropic-ai/sdk';
import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { type AnthropicBody, anthropicRequest } from './anthropic-body.ts';
import { AnthropicReader } from './anthropic-reader.ts';
import { requestIdOf } from './faults.ts';
import { readEvents } from './reading.ts';
import { faultOfSdk, sdkOptions, withOwnHeaders } from './stainless.ts';
import { withWarnings } from './warnings.ts';

/** Claude, by the Messages API. */
export const anthropicProvider: ChatProvider = { stream };

/** How often an answer is asked to go on whose tools, run by the vendor, took longer than one request may. */
const MAX_CONTINUATIONS = 5;

type Ask = (body: AnthropicBody) => Promise<Response>;

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const { body, headers, warnings } = anthropicRequest(call);
  const ask = askerOf(call, headers);
  const response = await ask(body);
  // Only where the vendor runs tools is the answer ever to be continued, and what was asked kept for that.
  const runsTools = body.tools?.some((tool) => 'type' in tool) ?? false;
  const events = runsTools ? continuedAnswer(response, body, ask) : wholeAnswer(response);
  return { requestId: requestIdOf(response.headers), events: withWarnings(warnings, events) };
}

function askerOf({ connection, signal }: ProviderCall, headers: Record<string, string>): Ask {
  const client = new Anthropic({
    ...sdkOptions(connection, 'https://api.anthropic.com'),
    // Never null: the SDK would look for a key all over the machine.
    apiKey: connection.apiKey ?? '',
    webhookKey: null,
    openTelemetry: false,
  });
  // Servers that speak this API know the key by the older header alone.
  const key = { authorization: null, ...(connection.apiKey === null ? {} : { 'x-api-key': connection.apiKey }) };
  withOwnHeaders(client, { ...key, ...connection.headers });
  return async (body) => {
    try {
      // Not `messages.create`: it writes to the console about models that are to be retired.
      return await client.post('/v1/messages', { body, stream: true, headers, signal }).asResponse();
    } catch (error) {
      throw faultOfSdk(error);
    }
  };
}

function wholeAnswer(response: Response): AsyncGenerator<ChatEvent[]> {
  return readEvents(bodyOf(response), new AnthropicReader({ mayContinue: false }));
}

async function* continuedAnswer(first: Response, body: AnthropicBody, ask: Ask): AsyncGenerator<ChatEvent[]> {
  let response = first;
  let asked = body;
  let before: AnthropicReader['usage'] = null;
  for (let left = MAX_CONTINUATIONS; ; left--) {
    const reader = new AnthropicReader({ mayContinue: left > 0, before });
    yield* readEvents(bodyOf(response), reader);
    if (!reader.paused) return;
    const { content, container } = reader.paused;
    before = reader.usage;
    const said = content.length > 0 ? [{ role: 'assistant' as const, content }] : [];
    asked = { ...asked, messages: [...asked.messages, ...said], ...(container ? { container } : {}) };
    response = await ask(asked);
  }
}
