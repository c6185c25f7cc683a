import Groq from 'groq-sdk';
import type { ChatCompletionCreateParamsStreaming as Body } from 'groq-sdk/resources/chat/completions';
import type { ChatProvider, ProviderCall, ProviderStream } from '../../core/agents/chat/provider.ts';
import { clientPerConnection, faultOfSdk, sdkOptions, streamRequest, withOwnHeaders } from '../shared/sdk-requests.ts';
import { chatCompletionBody } from './body.ts';
import { ChatCompletionReader } from './reader.ts';

export const groqProvider: ChatProvider = { stream };

const clientOf = clientPerConnection((connection) => {
  const client = new Groq({ ...sdkOptions(connection, 'https://api.groq.com'), apiKey: connection.apiKey ?? '' });
  return withOwnHeaders(client, connection.headers);
});

async function stream(call: ProviderCall): Promise<ProviderStream> {
  const request = { path: '/openai/v1/chat/completions', body: groqBody(call) };
  try {
    return await streamRequest(new ChatCompletionReader(), clientOf(call.connection), Groq.APIError, request, call);
  } catch (error) {
    throw faultOfSdk(error);
  }
}

function groqBody(call: ProviderCall): Body {
  const body = chatCompletionBody(call) as unknown as Body;
  const { model } = call.request;
  if (!/qwen/.test(model)) return body;
  // By default Qwen's reasoning comes within the text, between tags.
  body.reasoning_format = 'parsed';
  // The first Qwen 3 models have only their own efforts.
  if (body.reasoning_effort && /qwen-?3-/.test(model)) body.reasoning_effort = 'default';
  return body;
}
