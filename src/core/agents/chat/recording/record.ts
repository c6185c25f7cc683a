import type { Caller } from '../../../base/shared/caller.ts';
import type { Vendor } from '../capabilities.ts';
import type { ChatMessage, ContentPart } from '../message.ts';
import type { ChatUsage, FinishReason, ToolCall } from '../provider.ts';
import type { ChatRequest } from '../schema.ts';

/** US dollars per million tokens. */
export interface Price {
  inputPerMillion: number;
  outputPerMillion: number;
}

/** `cancelled`: the client disconnected. */
export type ChatStatus = 'completed' | 'failed' | 'cancelled';

/** Times are epoch milliseconds. */
export interface StartedChat {
  executionId: string;
  caller: Caller;
  agentId: string;
  request: ChatRequest;
  /** Whether content was too large to record. */
  isTruncated: boolean;
  startedAt: number;
}

export interface EndedChat extends StartedChat {
  status: ChatStatus;
  completedAt: number;
  /** Answered, or was tried last. */
  provider: Vendor;
  providerName: string | null;
  model: string;
  baseUrl: string | null;
  price: Price | null;
  text: string;
  calls: ToolCall[];
  /** Null if unknown, or if nothing was used. */
  usage: (ChatUsage & { estimated?: true }) | null;
  finishReason: FinishReason | null;
  timeToFirstTokenMs: number | null;
  providerRequestId: string | null;
  attempts: number;
  isFallback: boolean;
  droppedParams: string[];
  fault: { kind: string; message: string; status: number | null } | null;
}

/** Characters; of longer files only the length is recorded. */
const MAX_DATA = 64 * 1024;

export function recordedMessages({ request, calls, text }: StartedChat & Partial<EndedChat>): ChatMessage[] {
  const { instructions, messages } = request;
  const answer: ChatMessage[] =
    calls && calls.length > 0
      ? [{ role: 'assistant', content: text || null, tool_calls: calls.map((call) => ({ ...call })) }]
      : [];
  const system: ChatMessage[] = instructions === undefined ? [] : [{ role: 'system', content: instructions }];
  return [...system, ...messages, ...answer];
}

export function recordedRequest(request: ChatRequest, withContent: boolean): ChatRequest {
  const about = withoutContent(request);
  if (!withContent) return about;
  const { instructions, messages } = request;
  return { ...about, instructions, messages: messages.map(withoutLongData) };
}

export function withoutContent({ projectId, provider, providerName, model, ...request }: ChatRequest): ChatRequest {
  const { threadId, userId, tags } = request;
  return { projectId, provider, providerName, model, threadId, userId, tags, messages: [] };
}

/** Characters in memory, roughly. */
export function recordedSize({ request, text = '', calls }: Pick<StartedChat, 'request'> & Partial<EndedChat>): number {
  const { instructions = '', messages } = request;
  const content = lengthOfMessages(messages, (part) => 100 + lengthOfPart(part));
  return 1_000 + instructions.length + content + text.length + lengthOfJson(calls);
}

/** Characters that become tokens, without images and files. */
export function tokenCharacters({ instructions = '', messages, tools = [] }: ChatRequest): number {
  const content = lengthOfMessages(messages, (part) => (part.type === 'text' ? part.text.length : 0));
  return instructions.length + content + (tools.length > 0 ? lengthOfJson(tools) : 0);
}

function lengthOfMessages(messages: readonly ChatMessage[], partLength: (part: ContentPart) => number): number {
  let length = 0;
  for (const { content, tool_calls: calls } of messages) {
    length += lengthOfJson(calls);
    if (Array.isArray(content)) for (const part of content) length += partLength(part);
    else length += content?.length ?? 0;
  }
  return length;
}

function lengthOfPart(part: ContentPart): number {
  if (part.type === 'text') return part.text.length;
  return part.type === 'image_url' ? part.image_url.url.length : part.file.file_data.length;
}

function lengthOfJson(value: unknown): number {
  return value === undefined ? 0 : JSON.stringify(value).length;
}

function withoutLongData(message: ChatMessage): ChatMessage {
  const { content } = message;
  return Array.isArray(content) ? { ...message, content: content.map(shortenedPart) } : message;
}

function shortenedPart(part: ContentPart): ContentPart {
  if (part.type === 'image_url' && part.image_url.url.length > MAX_DATA) {
    return { type: 'text', text: `[image of ${part.image_url.url.length} characters, not recorded]` };
  }
  if (part.type === 'file' && part.file.file_data.length > MAX_DATA) {
    const { filename, file_data: data } = part.file;
    return { type: 'text', text: `[file ${filename} of ${data.length} characters, not recorded]` };
  }
  return part;
}

/** Null if invalid: some servers send null, text, or only zeros. */
export function countedUsage(reported: ChatUsage): ChatUsage | null {
  const counts = Object.entries(reported).filter(([, tokens]) => Number.isSafeInteger(tokens) && tokens >= 0);
  const usage = Object.fromEntries(counts) as Partial<ChatUsage>;
  const { inputTokens, outputTokens } = usage;
  if (inputTokens === undefined || outputTokens === undefined || inputTokens + outputTokens === 0) return null;
  return { ...usage, inputTokens, outputTokens };
}

/** Roughly, over languages and tokenizers. */
const CHARACTERS_OF_TOKEN = 4;

export function estimatedUsage(
  requestLength: number,
  answerLength: number,
  reported: ChatUsage | null,
): ChatUsage & { estimated: true } {
  const outputTokens = Math.max(reported?.outputTokens ?? 0, Math.ceil(answerLength / CHARACTERS_OF_TOKEN));
  const inputTokens = reported?.inputTokens ?? Math.ceil(requestLength / CHARACTERS_OF_TOKEN);
  return { ...reported, inputTokens, outputTokens, estimated: true };
}
