import Anthropic from '@anthropic-ai/sdk';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import type { streamingFetch } from '../../src/outbound/fetch.ts';

interface Settings {
  baseURL: string;
  fetch: ReturnType<typeof streamingFetch>;
  /** Of the SDK itself. */
  maxRetries?: number;
  /** Of the SDK itself, in milliseconds. */
  timeout?: number;
}

interface Call {
  asResponse(): Promise<Response>;
  /** What the SDK itself makes of the stream. */
  parsed(): Promise<AsyncIterable<unknown>>;
}

type ErrorName =
  | 'APIError'
  | 'RateLimitError'
  | 'AuthenticationError'
  | 'APIConnectionError'
  | 'APIConnectionTimeoutError'
  | 'APIUserAbortError';
type ErrorClass = abstract new (...parameters: never[]) => Error;

export interface Sdk {
  name: string;
  /** Asks a model for a stream, with a body that holds `grüße`. */
  ask(settings: Settings, signal?: AbortSignal): Call;
  /** One event as the provider sends it. */
  event: string;
  errors: Record<ErrorName, ErrorClass>;
}

const messages = [{ role: 'user' as const, content: 'grüße' }];
const chat = { model: 'a-model', messages, stream: true as const };
const CHUNK = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'hé' } }] })}\n\n`;

export const SDKS: Sdk[] = [
  {
    name: 'openai, chat completions',
    ask: (settings, signal) =>
      callOf(() => new OpenAI({ apiKey: 'k', maxRetries: 0, ...settings }).chat.completions.create(chat, { signal })),
    event: CHUNK,
    errors: OpenAI,
  },
  {
    name: 'openai, responses',
    ask: (settings, signal) =>
      callOf(() => {
        const client = new OpenAI({ apiKey: 'k', maxRetries: 0, ...settings });
        return client.responses.create({ model: 'a-model', input: 'grüße', stream: true }, { signal });
      }),
    event: `event: response.output_text.delta\ndata: ${JSON.stringify({ type: 'response.output_text.delta', delta: 'hé' })}\n\n`,
    errors: OpenAI,
  },
  {
    name: 'groq',
    ask: (settings, signal) =>
      callOf(() => new Groq({ apiKey: 'k', maxRetries: 0, ...settings }).chat.completions.create(chat, { signal })),
    event: CHUNK,
    errors: Groq,
  },
  {
    name: 'anthropic',
    ask: (settings, signal) =>
      callOf(() => {
        const client = new Anthropic({ apiKey: 'k', maxRetries: 0, ...settings });
        return client.messages.create({ ...chat, max_tokens: 100 }, { signal });
      }),
    event: `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'hé' } })}\n\n`,
    errors: Anthropic,
  },
];

interface Promised extends PromiseLike<AsyncIterable<unknown>> {
  asResponse(): Promise<Response>;
}

/** The request begins when the answer is asked for, in either form. */
function callOf(start: () => Promised): Call {
  return { asResponse: () => start().asResponse(), parsed: async () => start() };
}
