import Groq from 'groq-sdk';
import OpenAI from 'openai';
import {
  type ChatProvider,
  type Connection,
  type ProviderCall,
  type ProviderStream,
  refused,
} from '../../core/agents/chat/provider.ts';
import {
  clientPerConnection,
  faultOfSdk,
  type SdkClient,
  type SdkErrors,
  type SdkRequest,
  sdkOptions,
  streamRequest,
  withOwnHeaders,
} from '../shared/sdk-requests.ts';
import { chatCompletionBody } from './body.ts';
import { ChatCompletionReader } from './reader.ts';

export function openaiClients(vendorUrl: string): (connection: Connection) => OpenAI {
  return clientPerConnection((connection) => {
    const client = new OpenAI({
      ...sdkOptions(connection, vendorUrl),
      apiKey: connection.apiKey ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
    });
    return withOwnHeaders(client, connection.headers);
  });
}

/** Like the SDK, these take a body without `error` as the error itself. */
export const openaiErrors: SdkErrors = {
  generate: (status, body, message, headers) => {
    const { error = null } = (body ?? {}) as { error?: unknown };
    return OpenAI.APIError.generate(status, body && error === null ? { error: body } : body, message, headers);
  },
};

export async function streamChatCompletions(
  client: SdkClient,
  call: ProviderCall,
  request: SdkRequest = { path: '/chat/completions', body: chatCompletionBody(call) },
  errors: SdkErrors = openaiErrors,
): Promise<ProviderStream> {
  const reader = new ChatCompletionReader({ returnsReasoning: call.connection.provider === 'custom' });
  try {
    return await streamRequest(reader, client, errors, request, call);
  } catch (error) {
    throw faultOfSdk(error);
  }
}

const xaiClient = openaiClients('https://api.x.ai/v1');
const groqClient = clientPerConnection((connection) => {
  const client = new Groq({ ...sdkOptions(connection, 'https://api.groq.com'), apiKey: connection.apiKey ?? '' });
  return withOwnHeaders(client, connection.headers);
});
const customClient = openaiClients('');

export const xaiProvider: ChatProvider = { stream: (call) => streamChatCompletions(xaiClient(call.connection), call) };

export const groqProvider: ChatProvider = {
  stream: (call) =>
    streamChatCompletions(
      groqClient(call.connection),
      call,
      { path: '/openai/v1/chat/completions', body: groqBody(call) },
      Groq.APIError,
    ),
};

export const customProvider: ChatProvider = {
  stream: async (call) => {
    // Otherwise the SDK would send the request to OpenAI, with this server's key.
    if (!call.connection.baseUrl) throw refused('providerName: names a provider without baseUrl; custom needs one');
    return streamChatCompletions(customClient(call.connection), call);
  },
};

function groqBody(call: ProviderCall): object {
  const body = chatCompletionBody(call);
  const { model } = call.request;
  if (!/qwen/.test(model)) return body;
  return {
    ...body,
    // By default Qwen's reasoning comes within the text, between tags.
    reasoning_format: 'parsed',
    // The first Qwen 3 models have only their own efforts.
    ...(body.reasoning_effort && /qwen-?3-/.test(model) && { reasoning_effort: 'default' }),
  };
}
