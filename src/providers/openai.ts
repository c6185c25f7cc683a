import type OpenAI from 'openai';
import type { ResponseCreateParamsStreaming as Body } from 'openai/resources/responses/responses';
import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { bodyOf } from '../outbound/fetch.ts';
import { requestIdOf } from './faults.ts';
import { openaiClient, streamChatCompletions } from './openai-sdk.ts';
import { readEvents } from './reading.ts';
import { responsesBody } from './responses-body.ts';
import { ResponsesReader } from './responses-reader.ts';
import { faultOfSdk } from './stainless.ts';

const VENDOR_URL = 'https://api.openai.com/v1';

/** GPT and its kin, by OpenAI's Responses API, or by Chat Completions where the request says `legacy`. */
export const openaiProvider: ChatProvider = {
  stream: (call) => (call.request.legacy ? streamChatCompletions(call, VENDOR_URL) : streamResponse(call)),
};

/**
 * Asks the Responses API. OpenAI refuses summaries of reasoning to organizations that have not shown it their papers; those
 * are asked for once more without them, since the answer is what was wanted.
 */
async function streamResponse(call: ProviderCall): Promise<ProviderStream> {
  const body = responsesBody(call);
  const client = openaiClient(call.connection, VENDOR_URL);
  try {
    return await ask(client, body, call.signal);
  } catch (error) {
    if (!isSummaryRefused(error)) throw faultOfSdk(error);
  }
  try {
    const reasoning = { ...body.reasoning, summary: undefined };
    const { requestId, events } = await ask(client, { ...body, reasoning }, call.signal);
    return { requestId, events: warned(events) };
  } catch (error) {
    throw faultOfSdk(error);
  }
}

async function ask(client: OpenAI, body: Body, signal: AbortSignal): Promise<ProviderStream> {
  const response = await client.responses.create(body, { signal }).asResponse();
  return {
    requestId: requestIdOf(response.headers),
    events: readEvents(bodyOf(response), new ResponsesReader()),
  };
}

function isSummaryRefused(error: unknown): boolean {
  const { status, param } = error as { status?: number; param?: string | null };
  return status === 400 && param === 'reasoning.summary';
}

async function* warned(events: AsyncIterable<ChatEvent[]>): AsyncGenerator<ChatEvent[]> {
  const message = 'OpenAI shows the reasoning of its models only to organizations that it has verified.';
  let warning: ChatEvent[] = [{ type: 'warning', message }];
  for await (const read of events) {
    yield [...warning, ...read];
    warning = [];
  }
}
