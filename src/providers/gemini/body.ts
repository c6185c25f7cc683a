import {
  type Content,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  type Part,
  type ThinkingConfig,
  ThinkingLevel,
  type Tool,
} from '@google/genai';
import { type ChatMessage, type ContentPart, readCall, readDataUrl, textsOf } from '../../core/agents/chat/message.ts';
import { type ProviderCall, refused } from '../../core/agents/chat/provider.ts';
import type { ChatRequest, ResponseFormat } from '../../core/agents/chat/schema.ts';
import { fileOf } from '../shared/files.ts';
import { tryParseObject } from '../shared/json.ts';
import { effortOf } from '../shared/settings.ts';

/** The model decides. */
const DYNAMIC_BUDGET = -1;
const LEVELS = { low: ThinkingLevel.LOW, medium: ThinkingLevel.MEDIUM, high: ThinkingLevel.HIGH };

export function geminiParameters(call: ProviderCall): GenerateContentParameters {
  const { request } = call;
  const { temperature, topP, frequencyPenalty, presencePenalty, stop, seed, maxTokens } = request;
  const { model, messages, instructions } = request;
  // It becomes part of the URL.
  if (!/^[\w./-]+$/.test(model) || model.includes('..')) {
    throw refused('model: must be the name of a model, for gemini');
  }
  const system = [...(instructions ? [instructions] : []), ...systemTexts(messages)];
  const config: GenerateContentConfig = {
    ...(system.length > 0 ? { systemInstruction: { parts: system.map((text) => ({ text })) } } : {}),
    temperature,
    topP,
    frequencyPenalty,
    presencePenalty,
    maxOutputTokens: maxTokens,
    stopSequences: stop?.length ? stop : undefined,
    // The API takes 32 bits; equal seeds stay equal.
    seed: seed === undefined ? undefined : seed | 0,
    ...formatOf(request.responseFormat),
    ...toolsOf(request),
    thinkingConfig: thinkingOf(call),
  };
  return { model, contents: contentsOf(messages, model), config };
}

function formatOf(format: ResponseFormat | undefined): GenerateContentConfig {
  if (!format || format.type === 'text') return {};
  const schema = format.type === 'json_schema' ? { responseJsonSchema: format.json_schema.schema } : {};
  return { responseMimeType: 'application/json', ...schema };
}

function toolsOf({ tools = [], serverTools = [] }: ChatRequest): GenerateContentConfig {
  if (tools.length > 0 && serverTools.length > 0) {
    throw refused('serverTools: cannot go with tools, for gemini; ask for the one or the other');
  }
  const served = serverTools.map(
    (tool): Tool => (tool === 'web_search' ? { googleSearch: {} } : { codeExecution: {} }),
  );
  if (tools.length === 0) return served.length > 0 ? { tools: served } : {};
  const functionDeclarations = tools.map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    // The API refuses `{}`.
    parametersJsonSchema: Object.keys(parameters ?? {}).length > 0 ? parameters : undefined,
  }));
  // Gemini enforces the schemas of all functions or of none.
  const strict = tools.some(({ function: { strict } }) => strict);
  return {
    tools: [{ functionDeclarations }],
    ...(strict ? { toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.VALIDATED } } } : {}),
  };
}

function thinkingOf({ request: { thinking }, capabilities }: ProviderCall): ThinkingConfig | undefined {
  if (!thinking) return undefined;
  if (thinking.type === 'disabled') return { thinkingBudget: 0 };
  if (capabilities.thinking === 'budget') {
    return { includeThoughts: true, thinkingBudget: thinking.budgetTokens ?? DYNAMIC_BUDGET };
  }
  const effort = effortOf(thinking, capabilities);
  return { includeThoughts: true, ...(effort ? { thinkingLevel: LEVELS[effort] } : {}) };
}

/** Google documents it for calls of other models or with a lost signature. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

export function contentsOf(messages: readonly ChatMessage[], model: string): Content[] {
  const contents: Content[] = [];
  const names = new Map<string, string>();
  const signs = needsSignatures(model);
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = partsOf(message, `messages[${index}]`, names, signs);
    const last = contents.at(-1);
    if (last?.role === role) last.parts?.push(...parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  if (contents.length > 0) return contents;
  throw refused('messages: must hold something that the user or the assistant says, for gemini');
}

export function systemTexts(messages: readonly ChatMessage[]): string[] {
  return messages.filter(({ role }) => role === 'system').flatMap(({ content }) => filledTexts(content));
}

/** Models since Gemini 3 refuse a call without its signature. */
function needsSignatures(model: string): boolean {
  return !/gemini-[12]\b/.test(model);
}

function partsOf(message: ChatMessage, path: string, names: Map<string, string>, signs: boolean): Part[] {
  const { role, content } = message;
  if (role === 'tool') return [toolPart(message, names)];
  if (role === 'assistant') return [...textParts(content), ...callParts(message, path, names, signs)];
  if (!Array.isArray(content)) return textParts(content);
  return content.flatMap((part, position) => partOf(part, `${path}.content[${position}]`));
}

function toolPart({ name, tool_call_id: id = '', content }: ChatMessage, names: Map<string, string>): Part {
  // Text, since parsed JSON would lose large numbers.
  const response = { output: textsOf(content).join('') };
  return { functionResponse: { id, name: names.get(id) ?? name ?? id, response } };
}

function callParts(
  { tool_calls: calls = [] }: ChatMessage,
  path: string,
  names: Map<string, string>,
  signs: boolean,
): Part[] {
  return calls.flatMap((recorded, position): Part[] => {
    const call = readCall(recorded);
    if (!call) return [];
    names.set(call.id, call.name);
    const args = argumentsOf(call.arguments, `${path}.tool_calls[${position}].function.arguments`);
    const part: Part = { functionCall: { id: call.id, name: call.name, args } };
    // Only the first of parallel calls is signed.
    const signature = signatureOf(recorded) ?? (signs && position === 0 ? NO_SIGNATURE : undefined);
    return [signature === undefined ? part : { ...part, thoughtSignature: signature }];
  });
}

function signatureOf({ extra_content: extra }: Record<string, unknown>): string | undefined {
  const signature = (extra as { google?: { thought_signature?: unknown } } | undefined)?.google?.thought_signature;
  return typeof signature === 'string' ? signature : undefined;
}

function argumentsOf(text: string, path: string): Record<string, unknown> {
  const args = tryParseObject(text || '{}');
  if (args) return args;
  throw refused(`${path}: must be a JSON object, for gemini`);
}

function partOf(part: ContentPart, path: string): Part[] {
  if (part.type === 'text') return textParts(part.text);
  if (part.type === 'file') return [inlineData(fileOf(part, path))];
  const image = readDataUrl(part.image_url.url);
  if (image) return [inlineData(image)];
  throw refused(`${path}.image_url.url: must be a data: URL, for gemini`);
}

function inlineData({ mediaType, base64 }: { mediaType: string; base64: string }): Part {
  return { inlineData: { mimeType: mediaType, data: base64 } };
}

function textParts(content: ChatMessage['content']): Part[] {
  return filledTexts(content).map((text) => ({ text }));
}

function filledTexts(content: ChatMessage['content']): string[] {
  return textsOf(content).filter((text) => text !== '');
}
