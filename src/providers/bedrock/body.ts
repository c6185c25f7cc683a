import type {
  Tool as BedrockTool,
  ContentBlock,
  ConverseStreamCommandInput,
  DocumentFormat,
  ImageFormat,
  Message,
  ToolConfiguration,
} from '@aws-sdk/client-bedrock-runtime';
import { type DataUrl, readDataUrl } from '../../core/agents/chat/message.ts';
import { type ProviderCall, refused, type Warning } from '../../core/agents/chat/provider.ts';
import type { ChatRequest, FunctionTool } from '../../core/agents/chat/schema.ts';
import { answerSchemaOf, type ClaudeSettings, claudeSettings } from '../shared/claude.ts';
import { fileOf, isText } from '../shared/files.ts';
import { effortOf, loweredTemperature } from '../shared/settings.ts';
import { type Blocks, conversationOf, type PartOf, type Thought, type VendorTurn } from '../shared/turns.ts';

const MAX_NAME = 200;

/** Bedrock allows few characters, no extension and no duplicates. */
export class DocumentNames {
  private readonly used = new Set<string>();

  nameOf(filename: string): string {
    const plain = filename
      .replace(/\.[^.]*$/, '')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-zA-Z0-9\s()[\]-]+/g, '-')
      .replace(/\s+/g, ' ')
      .slice(0, MAX_NAME)
      .trim();
    const name = this.free(/[a-zA-Z0-9]/.test(plain) ? plain : 'document');
    this.used.add(name);
    return name;
  }

  private free(name: string): string {
    if (!this.used.has(name)) return name;
    for (let number = 2; ; number++) {
      const suffix = ` (${number})`;
      const other = name.slice(0, MAX_NAME - suffix.length) + suffix;
      if (!this.used.has(other)) return other;
    }
  }
}

export interface BedrockRequest {
  input: ConverseStreamCommandInput;
  warnings: Warning[];
}

export function bedrockRequest(call: ProviderCall): BedrockRequest {
  const { request } = call;
  const { maxTokens, temperature, topP, thinking, effort, thinks, warnings } = settingsOf(call);
  // AWS does not document which models accept system messages in a conversation.
  const { system, turns } = conversationOf(request, blocksOf(), { takesLaterSystem: false, thinks });
  const textFormat = textFormatOf(call);
  const input: ConverseStreamCommandInput = {
    modelId: request.model,
    messages: turns.map(messageOf),
    ...(system.length > 0 ? { system: system.map((text) => ({ text })) } : {}),
    inferenceConfig: { maxTokens, temperature, topP, stopSequences: request.stop?.length ? request.stop : undefined },
    toolConfig: toolConfigOf(request),
    ...(thinking ? { additionalModelRequestFields: { thinking } } : {}),
    ...(textFormat || effort ? { outputConfig: { textFormat, effort } } : {}),
  };
  return { input, warnings };
}

/** An inference profile may have any name, so its thinking style counts too. */
function isClaude({ request, capabilities }: ProviderCall): boolean {
  return /claude/.test(request.model) || ['budget', 'adaptive'].includes(capabilities.thinking);
}

/** The service itself checks the limits of other models. */
function settingsOf(call: ProviderCall): Omit<ClaudeSettings, 'maxTokens'> & { maxTokens?: number } {
  const { request, capabilities } = call;
  if (isClaude(call)) return claudeSettings(call);
  const { maxTokens, temperature, topP, thinking } = request;
  const settings = { maxTokens, topP, effort: effortOf(thinking, capabilities), thinks: false };
  if (temperature === undefined || temperature <= 1) return { ...settings, temperature, warnings: [] };
  return { ...settings, temperature: 1, warnings: [loweredTemperature(temperature, 'Bedrock')] };
}

function blocksOf(): Blocks<ContentBlock> {
  const names = new DocumentNames();
  return {
    text: (text) => ({ text }),
    image: ({ image_url: { url } }, path) => imageOf(readDataUrl(url), `${path}.image_url.url`),
    file: (part, path) => documentOf(part, path, names),
    thought: thoughtOf,
    call: ({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input: input as Record<string, never> } }),
    result: ({ id, texts }) => ({ toolResult: { toolUseId: id, content: texts.map((text) => ({ text })) } }),
  };
}

const IMAGE_FORMATS: Record<string, ImageFormat> = {
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/png': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

function imageOf(image: DataUrl | null, path: string): ContentBlock {
  const format = image && IMAGE_FORMATS[image.mediaType];
  if (format) return { image: { format, source: { bytes: Buffer.from(image.base64, 'base64') } } };
  const what = image?.mediaType ?? 'no data: URL';
  throw refused(`${path}: is ${what}; Bedrock takes JPEG, PNG, GIF and WebP`);
}

const DOCUMENT_FORMATS: Record<string, DocumentFormat> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

function documentOf(part: PartOf<'file'>, path: string, names: DocumentNames): ContentBlock {
  const file = fileOf(part, path);
  const { mediaType, base64 } = file;
  if (mediaType.startsWith('image/')) return imageOf(file, `${path}.file.file_data`);
  const format = DOCUMENT_FORMATS[mediaType] ?? (isText(mediaType) ? 'txt' : undefined);
  if (format) {
    const name = names.nameOf(part.file.filename);
    return { document: { format, name, source: { bytes: Buffer.from(base64, 'base64') } } };
  }
  throw refused(
    `${path}.file.file_data: is ${mediaType}; Bedrock reads PDF, Word, Excel, CSV, HTML, Markdown, other text and images`,
  );
}

function thoughtOf(thought: Thought): ContentBlock {
  if (thought.type === 'redacted_thinking') {
    return { reasoningContent: { redactedContent: Buffer.from(thought.data, 'base64') } };
  }
  return { reasoningContent: { reasoningText: { text: thought.thinking, signature: thought.signature } } };
}

/** A message with documents must also contain text. */
function messageOf({ role, content }: VendorTurn<ContentBlock>): Message {
  const names = content.flatMap(({ document }) => document?.name ?? []);
  if (names.length === 0 || content.some(({ text }) => text !== undefined)) return { role, content };
  return { role, content: [...content, { text: names.join(', ') }] };
}

function toolConfigOf({ tools = [], messages }: ChatRequest): ToolConfiguration | undefined {
  if (tools.length > 0) return { tools: tools.map(toolOf) };
  if (!messages.some(({ tool_calls: calls }) => calls !== undefined)) return undefined;
  throw refused('tools: must contain the functions that the messages call; Bedrock requires them');
}

function toolOf({ function: { name, description, parameters, strict } }: FunctionTool): BedrockTool {
  const json = { properties: {}, ...parameters, type: 'object' } as unknown as Record<string, never>;
  // Bedrock refuses an empty description.
  const described = description?.trim() ? { description } : {};
  return { toolSpec: { name, ...described, inputSchema: { json }, ...(strict ? { strict } : {}) } };
}

type TextFormat = NonNullable<ConverseStreamCommandInput['outputConfig']>['textFormat'];

function textFormatOf(call: ProviderCall): TextFormat {
  const { responseFormat } = call.request;
  if (responseFormat?.type !== 'json_schema') return undefined;
  const { name, description, schema } = responseFormat.json_schema;
  const answer = isClaude(call) ? answerSchemaOf(responseFormat) : schema;
  const jsonSchema = { schema: JSON.stringify(answer), name, ...(description ? { description } : {}) };
  return { type: 'json_schema', structure: { jsonSchema } };
}
