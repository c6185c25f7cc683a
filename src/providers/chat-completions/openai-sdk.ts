import OpenAI from 'openai';
import type { Connection, ProviderCall, ProviderStream } from '../../core/agents/chat/provider.ts';
import {
  clientPerConnection,
  faultOfSdk,
  type SdkErrors,
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

/** Like the SDK, takes a body without `error` as the error itself. */
export const openaiErrors: SdkErrors = {
  generate: (status, body, message, headers) => {
    const { error = null } = (body ?? {}) as { error?: unknown };
    return OpenAI.APIError.generate(status, body && error === null ? { error: body } : body, message, headers);
  },
};

export async function streamChatCompletions(client: OpenAI, call: ProviderCall): Promise<ProviderStream> {
  const request = { path: '/chat/completions', body: chatCompletionBody(call) };
  const reader = new ChatCompletionReader({ returnsReasoning: call.connection.provider === 'custom' });
  try {
    return await streamRequest(reader, client, openaiErrors, request, call);
  } catch (error) {
    throw faultOfSdk(error);
  }
}
