import type OpenAI from 'openai';
import type { ResponseCreateParamsStreaming as Body } from 'openai/resources/responses/responses';
import type { ChatProvider, ProviderCall, ProviderStream, Warning } from '../../core/agents/chat/provider.ts';
import { openaiClients, openaiErrors, streamChatCompletions } from '../chat-completions/provider.ts';
import { faultOfSdk, streamRequest } from '../shared/sdk-requests.ts';
import { withWarnings } from '../shared/settings.ts';
import { responsesBody } from './body.ts';
import { ResponsesReader } from './reader.ts';

const clientOf = openaiClients('https://api.openai.com/v1');

export const openaiProvider: ChatProvider = {
  stream: (call) => {
    const client = clientOf(call.connection);
    return call.request.legacy ? streamChatCompletions(client, call) : streamResponse(client, call);
  },
};

/** Repeats the request without optional members that OpenAI refused. */
async function streamResponse(client: OpenAI, call: ProviderCall): Promise<ProviderStream> {
  const warnings: Warning[] = [];
  let body = responsesBody(call);
  for (;;) {
    try {
      const request = { path: '/responses', body };
      const { requestId, events } = await streamRequest(new ResponsesReader(), client, openaiErrors, request, call);
      return { requestId, events: warnings.length === 0 ? events : withWarnings(warnings, events) };
    } catch (error) {
      const easier = withoutRefused(body, error);
      if (!easier) throw faultOfSdk(error);
      body = easier.body;
      warnings.push({ type: 'warning', message: easier.message });
    }
  }
}

/** Null if the refused member is essential. */
function withoutRefused(body: Body, error: unknown): { body: Body; message: string } | null {
  const { status, param, code } = error as { status?: number; param?: string | null; code?: string | null };
  if (status !== 400) return null;
  if (param === 'reasoning.summary' && body.reasoning?.summary) {
    return {
      body: { ...body, reasoning: { ...body.reasoning, summary: undefined } },
      message: 'OpenAI shows the reasoning of its models only to organizations that it has verified.',
    };
  }
  if (code !== 'invalid_encrypted_content' || !Array.isArray(body.input)) return null;
  const input = body.input.filter(({ type }) => type !== 'reasoning');
  if (input.length === body.input.length) return null;
  return {
    body: { ...body, input },
    message: 'What was reasoned before is left out: OpenAI opens it only to the organization that it gave it to.',
  };
}
