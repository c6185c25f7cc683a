import OpenAI from 'openai';
import type { ResponseCreateParamsStreaming as Body } from 'openai/resources/responses/responses';
import type { ChatEvent, ChatProvider, ProviderCall, ProviderStream } from '../core/chat/provider.ts';
import { requestIdOf } from './faults.ts';
import { openaiClients, streamChatCompletions } from './openai-sdk.ts';
import { readEvents } from './reading.ts';
import { responsesBody } from './responses-body.ts';
import { ResponsesReader } from './responses-reader.ts';
import { ask, faultOfSdk } from './stainless.ts';

const clientOf = openaiClients('https://api.openai.com/v1');

/** GPT and its kin, by OpenAI's Responses API, or by Chat Completions where the request says `legacy`. */
export const openaiProvider: ChatProvider = {
  stream: (call) => {
    const client = clientOf(call.connection);
    return call.request.legacy ? streamChatCompletions(client, call) : streamResponse(client, call);
  },
};

/**
 * Asks the Responses API. OpenAI refuses summaries of reasoning to organizations that have not shown it their papers; those
 * are asked for once more without them, since the answer is what was wanted.
 */
async function streamResponse(client: OpenAI, call: ProviderCall): Promise<ProviderStream> {
  const body = responsesBody(call);
  try {
    return await respond(client, body, call);
  } catch (error) {
    if (!isSummaryRefused(error)) throw faultOfSdk(error);
  }
  try {
    const reasoning = { ...body.reasoning, summary: undefined };
    const { requestId, events } = await respond(client, { ...body, reasoning }, call);
    return { requestId, events: warned(events) };
  } catch (error) {
    throw faultOfSdk(error);
  }
}

async function respond(client: OpenAI, body: Body, call: ProviderCall): Promise<ProviderStream> {
  const answer = await ask(client, OpenAI.APIError, { path: '/responses', body }, call);
  return { requestId: requestIdOf(answer.headers), events: readEvents(answer.body, new ResponsesReader()) };
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
