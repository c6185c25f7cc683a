import type OpenAI from 'openai';
import type {
  ResponseCreateParamsStreaming as Body,
  ResponseFormatTextConfig as Format,
  ResponseInputContent as InputPart,
  ResponseInputItem as Item,
  Tool,
} from 'openai/resources/responses/responses';
import { type ChatMessage, type ContentPart, readCall, textsOf } from '../../core/agents/chat/message.ts';
import {
  type ChatProvider,
  type ProviderCall,
  type ProviderStream,
  refused,
  type Warning,
} from '../../core/agents/chat/provider.ts';
import type { ChatRequest, ResponseFormat } from '../../core/agents/chat/schema.ts';
import { openaiClients, openaiErrors, streamChatCompletions } from '../chat-completions/provider.ts';
import { dataUrlOf, fileOf } from '../shared/files.ts';
import { objectSchema } from '../shared/json.ts';
import { faultOfSdk, streamRequest } from '../shared/sdk-requests.ts';
import { effortOf, withWarnings } from '../shared/settings.ts';
import { ResponsesReader, reasoningOf } from './reader.ts';

const MIN_TOKENS = 16;

export function responsesBody(call: ProviderCall): Body {
  const { request } = call;
  const { model, instructions, temperature, topP, maxTokens, responseFormat } = request;
  if (maxTokens !== undefined && maxTokens < MIN_TOKENS) {
    throw refused(`maxTokens: must be at least ${MIN_TOKENS}, or legacy true, with openai`);
  }
  const tools = toolsOf(request);
  // Models that do not reason refuse the member.
  const reasons = call.capabilities.thinking !== 'none';
  return {
    model,
    instructions,
    input: request.messages.flatMap((message, index) => itemsOf(message, index, reasons)),
    stream: true,
    // Callers store conversations, including the reasoning before a call.
    store: false,
    include: reasons ? ['reasoning.encrypted_content'] : undefined,
    max_output_tokens: maxTokens,
    temperature,
    top_p: topP,
    tools: tools.length > 0 ? tools : undefined,
    text: responseFormat && { format: formatOf(responseFormat) },
    reasoning: askedReasoning(call),
  };
}

function askedReasoning({ request: { thinking }, capabilities }: ProviderCall): Body['reasoning'] {
  if (!thinking || thinking.type === 'disabled') return undefined;
  return { effort: effortOf(thinking, capabilities), summary: 'auto' };
}

function toolsOf({ tools = [], serverTools = [] }: ChatRequest): Tool[] {
  const functions = tools.map(
    ({ function: { name, description, parameters, strict } }): Tool => ({
      type: 'function',
      name,
      description,
      parameters: objectSchema(parameters),
      // By default this API makes every parameter required.
      strict: strict ?? false,
    }),
  );
  const served = serverTools.map(
    (tool): Tool =>
      tool === 'web_search' ? { type: 'web_search' } : { type: 'code_interpreter', container: { type: 'auto' } },
  );
  return [...functions, ...served];
}

function formatOf(format: ResponseFormat): Format {
  return format.type === 'json_schema' ? { type: 'json_schema', ...format.json_schema } : format;
}

function itemsOf(message: ChatMessage, index: number, reasons: boolean): Item[] {
  const { role, content } = message;
  if (role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.tool_call_id ?? '', output: textsOf(content).join('') }];
  }
  if (role === 'assistant') return assistantItems(message, reasons);
  if (!Array.isArray(content)) return [{ role, content: content ?? '' }];
  return [{ role, content: content.map((part, position) => partOf(part, `messages[${index}].content[${position}]`)) }];
}

/** The reasoning before the first call also precedes the text. */
function assistantItems({ content, tool_calls: calls = [] }: ChatMessage, reasons: boolean): Item[] {
  const text = textsOf(content).join('');
  const said: Item[] = text === '' && calls.length > 0 ? [] : [{ role: 'assistant', content: text }];
  const [thought = [], ...later] = calls.map((call): Item[] => (reasons ? reasoningOf(call) : []));
  const called = calls.flatMap((recorded, position): Item[] => {
    const call = readCall(recorded);
    if (!call) return [];
    const item: Item = { type: 'function_call', call_id: call.id, name: call.name, arguments: call.arguments };
    return [...(later[position - 1] ?? []), item];
  });
  return [...thought, ...said, ...called];
}

function partOf(part: ContentPart, path: string): InputPart {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image_url':
      return { type: 'input_image', image_url: part.image_url.url, detail: part.image_url.detail ?? 'auto' };
    case 'file':
      return { type: 'input_file', filename: part.file.filename, file_data: dataUrlOf(fileOf(part, path)) };
  }
}

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
