import type { ChatMessage } from '../chat/message.ts';
import type { Candidate } from '../chat/open-answer.ts';
import type { Usage } from '../chat/provider.ts';
import { priceOf } from '../chat/recording/price.ts';
import type { ChatRequest } from '../chat/schema.ts';
import { toNanos } from './money.ts';
import type { Spending } from './store.ts';

/** UTF-8 bytes of a token, at least: about 4 in English, and 3 where each character is a token. */
const BYTES_PER_TOKEN = 3;
/** What a message costs beside its text, and a request beside its messages. */
const TOKENS_PER_MESSAGE = 8;
/** About what the vendors count for an image of the largest size that they do not scale down. */
const TOKENS_PER_IMAGE = 1_600;
/** Base64 characters of a token of a file: a page of a PDF has some 2,000 tokens and 30 KB. */
const FILE_CHARACTERS_PER_TOKEN = 15;
/** Tokens of an answer where the request does not say how many it may have. */
export const DEFAULT_OUTPUT_TOKENS = 4_096;
/** Tokens of reasoning there, where it is asked for, unless its budget is larger. */
const THINKING_TOKENS = 16_384;

/** What a chat may take at most, about. */
export interface ChatEstimate extends Spending {
  inputTokens: number;
}

type Asked = Pick<Candidate, 'provider' | 'connection' | 'price' | 'request'>;

/**
 * Estimates what asking this candidate takes: input by the size of the request, output by its `maxTokens` or a default. A
 * model whose price is not known costs nothing, and its tokens count.
 */
export async function estimateOf(candidate: Asked, now: number): Promise<ChatEstimate> {
  const { request } = candidate;
  const inputTokens = inputTokensOf(request);
  const outputTokens = request.maxTokens ?? DEFAULT_OUTPUT_TOKENS + thinkingTokensOf(request);
  const nanos = await nanosOf(candidate, { inputTokens, outputTokens }, now);
  return { inputTokens, tokens: inputTokens + outputTokens, nanos };
}

/** The price of a usage in nano-dollars; 0 where it is not known. */
async function nanosOf({ provider, connection, price, request }: Asked, usage: Usage, now: number): Promise<number> {
  const { baseUrl } = connection;
  return toNanos((await priceOf({ provider, model: request.model, baseUrl, price, usage, startedAt: now })) ?? 0);
}

/** They are part of maxTokens, and come on top of the default. */
function thinkingTokensOf({ thinking }: ChatRequest): number {
  if (thinking === undefined || thinking.type === 'disabled') return 0;
  return Math.max(THINKING_TOKENS, thinking.budgetTokens ?? 0);
}

function inputTokensOf({ instructions = '', messages, tools = [], responseFormat }: ChatRequest): number {
  const around = tokensOfText(instructions) + tokensOfJson(tools) + tokensOfJson(responseFormat);
  return messages.reduce((sum, message) => sum + tokensOfMessage(message), around + TOKENS_PER_MESSAGE);
}

function tokensOfMessage({ content, tool_calls: calls }: ChatMessage): number {
  const fixed = TOKENS_PER_MESSAGE + tokensOfJson(calls);
  if (!Array.isArray(content)) return fixed + tokensOfText(content ?? '');
  return content.reduce((sum, part) => {
    if (part.type === 'text') return sum + tokensOfText(part.text);
    if (part.type === 'image_url') return sum + TOKENS_PER_IMAGE;
    return sum + Math.ceil(part.file.file_data.length / FILE_CHARACTERS_PER_TOKEN);
  }, fixed);
}

function tokensOfJson(value: unknown): number {
  return value === undefined ? 0 : tokensOfText(JSON.stringify(value));
}

function tokensOfText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}
