import type {
  ResponseCreateParamsStreaming as Body,
  ResponseFormatTextConfig as Format,
  ResponseInputContent as InputPart,
  ResponseInputItem as Item,
  Tool,
} from 'openai/resources/responses/responses';
import { type ChatMessage, type ContentPart, readCall, textsOf } from '../../core/agents/chat/message.ts';
import { type ProviderCall, refused } from '../../core/agents/chat/provider.ts';
import type { ChatRequest, ResponseFormat } from '../../core/agents/chat/schema.ts';
import { dataUrlOf, fileOf } from '../shared/files.ts';
import { objectSchema } from '../shared/json.ts';
import { effortOf } from '../shared/settings.ts';
import { reasoningOf } from './reader.ts';

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
