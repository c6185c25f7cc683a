import { toNanos } from '../../limits/quotas/kinds.ts';
import type { Spending } from '../../limits/quotas/store.ts';
import type { ChatMessage } from './message.ts';
import type { ChatCandidate } from './open-answer.ts';
import type { ChatUsage } from './provider.ts';
import { priceOf } from './recording/price.ts';
import type { ChatRequest } from './schema.ts';

/** UTF-8 bytes: about 4 in English, 3 where each character is a token. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_MESSAGE = 8;
/** About the vendors' count for the largest image that they do not scale down. */
const TOKENS_PER_IMAGE = 1_600;
/** Characters of Base64: a PDF page has about 2,000 tokens and 30 KB. */
const FILE_CHARACTERS_PER_TOKEN = 15;
export const DEFAULT_OUTPUT_TOKENS = 4_096;
const THINKING_TOKENS = 16_384;

export interface ChatEstimate extends Spending {
  inputTokens: number;
}

type EstimatedCall = Pick<ChatCandidate, 'provider' | 'connection' | 'price' | 'request'>;

/** From the size of the request and `maxTokens` or a default. An unknown price counts as 0. */
export async function estimateOf(candidate: EstimatedCall, now: number): Promise<ChatEstimate> {
  const { request } = candidate;
  const inputTokens = inputTokensOf(request);
  const outputTokens = request.maxTokens ?? DEFAULT_OUTPUT_TOKENS + thinkingTokensOf(request);
  const nanos = await nanosOf(candidate, { inputTokens, outputTokens }, now);
  return { inputTokens, tokens: inputTokens + outputTokens, nanos };
}

async function nanosOf(
  { provider, connection, price, request }: EstimatedCall,
  usage: ChatUsage,
  now: number,
): Promise<number> {
  const { baseUrl } = connection;
  return toNanos((await priceOf({ provider, model: request.model, baseUrl, price, usage, startedAt: now })) ?? 0);
}

/** Thinking is part of `maxTokens`, but on top of the default. */
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
