import Groq from 'groq-sdk';
import OpenAI from 'openai';
import type { ChatMessage, ContentPart } from '../../core/agents/chat/message.ts';
import {
  type ChatProvider,
  type Connection,
  type ProviderCall,
  type ProviderStream,
  refused,
} from '../../core/agents/chat/provider.ts';
import type { FunctionTool } from '../../core/agents/chat/schema.ts';
import { dataUrlOf, fileOf } from '../shared/files.ts';
import { objectSchema } from '../shared/json.ts';
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
import { effortOf } from '../shared/settings.ts';
import { ChatCompletionReader } from './reader.ts';
import { withReasoningApart } from './reasoning.ts';

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsStreaming;

export function chatCompletionBody(call: ProviderCall): Body {
  const { request, capabilities } = call;
  const { model, temperature, topP, frequencyPenalty, presencePenalty, stop, seed, maxTokens } = request;
  const body = {
    model,
    messages: messagesOf(call),
    stream: true,
    ...(capabilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
    [capabilities.maxTokensName]: maxTokens,
    temperature,
    top_p: topP,
    frequency_penalty: frequencyPenalty,
    presence_penalty: presencePenalty,
    stop: stop?.length ? stop : undefined,
    seed,
    tools: request.tools?.length ? request.tools.map(toolOf) : undefined,
    // The default, and not every server knows the word.
    response_format: request.responseFormat?.type === 'text' ? undefined : request.responseFormat,
    reasoning_effort: effortOf(request.thinking, capabilities),
  };
  return body as unknown as Body;
}

/** Servers refuse an object schema without `type` or `properties`. */
function toolOf({ function: called, ...tool }: FunctionTool): object {
  const { parameters } = called;
  return { ...tool, function: parameters === undefined ? called : { ...called, parameters: objectSchema(parameters) } };
}

function messagesOf({ request: { instructions, messages }, connection: { provider } }: ProviderCall): object[] {
  const system = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  // Vendors do not know each other's extra content. A custom server may be any of them.
  const keepsExtra = provider === 'custom';
  return [...system, ...messages.map((message, index) => messageOf(message, index, keepsExtra))];
}

/** These APIs refuse the tool's name on tool messages. */
function messageOf(message: ChatMessage, index: number, keepsExtra: boolean) {
  const { role, content, tool_calls, tool_call_id, reasoning_content } = message;
  return {
    role,
    content: Array.isArray(content)
      ? content.map((part, position) => partOf(part, `messages[${index}].content[${position}]`))
      : content,
    reasoning_content: keepsExtra && role === 'assistant' ? reasoning_content : undefined,
    ...(keepsExtra && tool_calls ? withReasoningApart(tool_calls) : { tool_calls: tool_calls?.map(withoutExtra) }),
    tool_call_id: role === 'tool' ? tool_call_id : undefined,
  };
}

function withoutExtra({ extra_content: _, ...call }: Record<string, unknown>): object {
  return call;
}

function partOf(part: ContentPart, path: string): object {
  if (part.type !== 'file') return part;
  const { filename } = part.file;
  return { type: 'file', file: { filename, file_data: dataUrlOf(fileOf(part, path)) } };
}

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
