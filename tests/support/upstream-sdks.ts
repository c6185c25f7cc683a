import Anthropic from '@anthropic-ai/sdk';
import { BedrockRuntimeClient, ConverseStreamCommand } from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import Groq from 'groq-sdk';
import OpenAI from 'openai';
import type { FakeUpstream } from './upstream/server.ts';

/*
 * The vendors' own SDKs, each with its own stream, retries off: what they make of an answer is what the vendor means by it.
 */

/** What an SDK has read of an answer. */
export interface Read {
  text: string;
  reasoning: string;
  signature: string;
  /** By name; arguments put together from their parts. */
  calls: Record<string, string>;
  /** Why it stopped, in the vendor's word. */
  finish: string | null;
  /** In the vendor's names. */
  usage: object | null;
  /** Types of all events, where they have types. */
  events: string[];
}

export type Ask = (upstream: FakeUpstream, read: Read) => Promise<void>;

const PROMPT = [{ role: 'user' as const, content: 'Say hello.' }];
const SETTINGS = { apiKey: 'key', maxRetries: 0, logLevel: 'off' as const };

export function nothingRead(): Read {
  return { text: '', reasoning: '', signature: '', calls: {}, finish: null, usage: null, events: [] };
}

function addTo(read: Read, name: string, part = ''): void {
  read.calls[name] = (read.calls[name] ?? '') + part;
}

const responses: Ask = async (upstream, read) => {
  const client = new OpenAI({ ...SETTINGS, baseURL: upstream.baseUrl('openai') });
  const names = new Map<string, string>();
  for await (const event of await client.responses.create({ model: 'gpt', input: 'Say hello.', stream: true })) {
    read.events.push(event.type);
    if (event.type === 'response.output_text.delta' || event.type === 'response.refusal.delta')
      read.text += event.delta;
    if (event.type === 'response.reasoning_summary_text.delta') read.reasoning += event.delta;
    if (event.type === 'response.output_item.added' && event.item.type === 'function_call')
      names.set(event.item.id!, event.item.name);
    if (event.type === 'response.function_call_arguments.delta') addTo(read, names.get(event.item_id)!, event.delta);
    if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    if (event.type === 'response.completed' || event.type === 'response.incomplete') {
      read.finish = event.response.incomplete_details?.reason ?? event.response.status!;
      read.usage = event.response.usage ?? null;
    }
  }
};

/** With openai's SDK, as it is used for four vendors. */
const chatOf =
  (vendor: 'openai' | 'xai' | 'custom'): Ask =>
  async (upstream, read) => {
    const client = new OpenAI({ ...SETTINGS, baseURL: upstream.baseUrl(vendor) });
    const asked = { model: 'm', messages: PROMPT, stream: true as const, stream_options: { include_usage: true } };
    for await (const chunk of await client.chat.completions.create(asked)) {
      readChoice(read, chunk.choices[0]);
      if (chunk.usage) read.usage = chunk.usage;
    }
  };

const groq: Ask = async (upstream, read) => {
  const client = new Groq({ ...SETTINGS, baseURL: upstream.baseUrl('groq') });
  for await (const chunk of await client.chat.completions.create({ model: 'm', messages: PROMPT, stream: true })) {
    readChoice(read, chunk.choices[0]);
    if (chunk.x_groq?.error) throw new Error(chunk.x_groq.error);
    if (chunk.x_groq?.usage) read.usage = chunk.x_groq.usage;
  }
};

interface Choice {
  finish_reason: string | null;
  delta: {
    content?: string | null;
    refusal?: string | null;
    reasoning?: string | null;
    reasoning_content?: string;
    tool_calls?: { index: number; function?: { name?: string; arguments?: string } }[];
  };
}

function readChoice(read: Read, choice: Choice | undefined): void {
  if (!choice) return;
  const { content, refusal, reasoning, reasoning_content, tool_calls } = choice.delta;
  read.text += content ?? refusal ?? '';
  read.reasoning += reasoning ?? reasoning_content ?? '';
  for (const { index, function: called } of tool_calls ?? []) {
    const name = called?.name ?? Object.keys(read.calls)[index]!;
    addTo(read, name, called?.arguments);
  }
  read.finish = choice.finish_reason ?? read.finish;
}

const anthropic: Ask = async (upstream, read) => {
  const client = new Anthropic({ ...SETTINGS, baseURL: upstream.baseUrl('anthropic') });
  const names: string[] = [];
  const asked = { model: 'claude', max_tokens: 100, messages: PROMPT, stream: true as const };
  for await (const event of await client.messages.create(asked)) {
    read.events.push(event.type);
    if (event.type === 'message_start') read.usage = event.message.usage;
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use')
      names[event.index] = event.content_block.name;
    if (event.type === 'content_block_delta') {
      if (event.delta.type === 'text_delta') read.text += event.delta.text;
      if (event.delta.type === 'thinking_delta') read.reasoning += event.delta.thinking;
      if (event.delta.type === 'signature_delta') read.signature += event.delta.signature;
      if (event.delta.type === 'input_json_delta') addTo(read, names[event.index]!, event.delta.partial_json);
    }
    if (event.type === 'message_delta') {
      read.finish = event.delta.stop_reason;
      read.usage = { ...read.usage, ...event.usage };
    }
  }
};

const gemini: Ask = async (upstream, read) => {
  const client = new GoogleGenAI({ apiKey: 'key', httpOptions: { baseUrl: upstream.baseUrl('gemini') } });
  for await (const chunk of await client.models.generateContentStream({ model: 'gemini', contents: 'Say hello.' })) {
    const [candidate] = chunk.candidates ?? [];
    for (const part of candidate?.content?.parts ?? []) {
      if (part.thought) read.reasoning += part.text;
      else read.text += part.text ?? '';
      if (part.thought) read.signature += part.thoughtSignature ?? '';
      if (part.functionCall) addTo(read, part.functionCall.name!, JSON.stringify(part.functionCall.args));
    }
    read.finish = candidate?.finishReason ?? chunk.promptFeedback?.blockReason ?? read.finish;
    read.usage = chunk.usageMetadata ?? read.usage;
  }
};

const bedrock: Ask = async (upstream, read) => {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: upstream.baseUrl('bedrock'),
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    requestHandler: new NodeHttpHandler(),
    maxAttempts: 1,
  });
  const names: string[] = [];
  try {
    const messages = [{ role: 'user' as const, content: [{ text: 'Say hello.' }] }];
    const { stream = [] } = await client.send(new ConverseStreamCommand({ modelId: 'nova', messages }));
    for await (const event of stream) {
      read.events.push(...Object.keys(event));
      const { start } = event.contentBlockStart ?? {};
      if (start?.toolUse) names[event.contentBlockStart!.contentBlockIndex!] = start.toolUse.name!;
      const { delta, contentBlockIndex = 0 } = event.contentBlockDelta ?? {};
      read.text += delta?.text ?? '';
      read.reasoning += delta?.reasoningContent?.text ?? '';
      read.signature += delta?.reasoningContent?.signature ?? '';
      if (delta?.toolUse) addTo(read, names[contentBlockIndex]!, delta.toolUse.input);
      read.finish = event.messageStop?.stopReason ?? read.finish;
      read.usage = event.metadata?.usage ?? read.usage;
    }
  } finally {
    client.destroy();
  }
};

/** By what is spoken, and with whom. */
export const SDKS = {
  responses,
  chat: chatOf('openai'),
  groq,
  xai: chatOf('xai'),
  custom: chatOf('custom'),
  anthropic,
  gemini,
  bedrock,
} satisfies Record<string, Ask>;
