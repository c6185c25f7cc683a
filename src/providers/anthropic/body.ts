import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  ToolUnion,
} from '@anthropic-ai/sdk/resources/messages';
import type { ServerTool } from '../../core/agents/chat/capabilities.ts';
import { readDataUrl } from '../../core/agents/chat/message.ts';
import { type ProviderCall, refused, type Warning } from '../../core/agents/chat/provider.ts';
import type { FunctionTool } from '../../core/agents/chat/schema.ts';
import { answerSchemaOf, claudeSettings } from '../shared/claude.ts';
import { fileOf, isText } from '../shared/files.ts';
import { type Blocks, conversationOf, type PartOf } from '../shared/turns.ts';

/** The SDK's types describe the newest version of the API, which has no sampling. */
export type AnthropicBody = MessageCreateParamsStreaming & { temperature?: number; top_p?: number };

export interface AnthropicRequest {
  body: AnthropicBody;
  headers: Record<string, string>;
  warnings: Warning[];
}

/** The last version with temperature and top_p. */
const SAMPLING_VERSION = { 'anthropic-version': '2023-06-01' };

/** Opus 4.8 and later. */
const TAKES_LATER_SYSTEM = /claude-(opus-4-[89]|[a-z]+-([5-9]|\d\d))/;
/** Since 4.5. */
const TAKES_NEW_TOOLS = /claude-[a-z]+-(4-[5-9]|[5-9]|\d\d)/;

export function anthropicRequest(call: ProviderCall): AnthropicRequest {
  const { request } = call;
  const { maxTokens, temperature, topP, thinking, effort, thinks, warnings } = claudeSettings(call);
  const takesLaterSystem = TAKES_LATER_SYSTEM.test(request.model);
  const { system, turns } = conversationOf(request, BLOCKS, { takesLaterSystem, thinks });
  const schema = answerSchemaOf(request.responseFormat);
  const tools = toolsOf(request);
  const body: AnthropicBody = {
    model: request.model,
    max_tokens: maxTokens,
    messages: turns as MessageParam[],
    stream: true,
    system: system.length > 0 ? system.join('\n\n') : undefined,
    temperature,
    top_p: topP,
    stop_sequences: request.stop?.length ? request.stop : undefined,
    tools: tools.length > 0 ? tools : undefined,
    thinking,
    output_config: schema || effort ? { effort, format: schema && { type: 'json_schema', schema } } : undefined,
  };
  const samples = temperature !== undefined || topP !== undefined;
  return { body, headers: samples ? SAMPLING_VERSION : {}, warnings };
}

const BLOCKS: Blocks<ContentBlockParam> = {
  text: (text) => ({ type: 'text', text }),
  image: imageOf,
  file: documentOf,
  thought: (thought) => thought,
  call: (call) => ({ type: 'tool_use', ...call }),
  result: ({ id, texts }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: texts.filter((text) => text.trim() !== '').map((text) => ({ type: 'text', text })),
  }),
};

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

function imageOf({ image_url: { url } }: PartOf<'image_url'>, path: string): ContentBlockParam {
  const given = readDataUrl(url);
  if (!given) return { type: 'image', source: { type: 'url', url } };
  return imageWithin(given, `${path}.image_url.url`);
}

function imageWithin({ mediaType, base64 }: { mediaType: string; base64: string }, path: string): ContentBlockParam {
  const type = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  const known = IMAGE_TYPES.find((one) => one === type);
  if (known) return { type: 'image', source: { type: 'base64', media_type: known, data: base64 } };
  throw refused(`${path}: is ${mediaType}; Anthropic takes JPEG, PNG, GIF and WebP`);
}

function documentOf(part: PartOf<'file'>, path: string): ContentBlockParam {
  const file = fileOf(part, path);
  const { mediaType, base64 } = file;
  const title = part.file.filename;
  if (mediaType === 'application/pdf') {
    return { type: 'document', title, source: { type: 'base64', media_type: mediaType, data: base64 } };
  }
  if (mediaType.startsWith('image/')) return imageWithin(file, `${path}.file.file_data`);
  if (isText(mediaType)) {
    const data = decoded(base64, `${path}.file.file_data`);
    return { type: 'document', title, source: { type: 'text', media_type: 'text/plain', data } };
  }
  throw refused(`${path}.file.file_data: is ${mediaType}; Anthropic reads PDF, text and images`);
}

function decoded(base64: string, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    throw refused(`${path}: is not UTF-8 text`);
  }
}

function toolsOf({ tools = [], serverTools = [], model }: ProviderCall['request']): ToolUnion[] {
  return [...tools.map(toolOf), ...serverTools.map((tool) => serverToolOf(tool, model))];
}

function toolOf({ function: { name, description, parameters, strict } }: FunctionTool): ToolUnion {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: { properties: {}, ...parameters, type: 'object' },
    ...(strict ? { strict } : {}),
  };
}

function serverToolOf(tool: ServerTool, model: string): ToolUnion {
  const isNew = TAKES_NEW_TOOLS.test(model);
  if (tool === 'code_execution') {
    return { type: isNew ? 'code_execution_20260521' : 'code_execution_20250825', name: tool };
  }
  if (!isNew) return { type: 'web_search_20250305', name: tool };
  // Direct: calls from the model's own code need newer models and are stored for days.
  return { type: 'web_search_20260318', name: tool, allowed_callers: ['direct'] };
}
