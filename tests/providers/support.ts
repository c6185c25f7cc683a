import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Capabilities, capabilitiesOf, type Vendor } from '../../src/core/agents/chat/capabilities.ts';
import {
  type ChatEvent,
  type ChatUsage,
  type Connection,
  type FinishReason,
  type ProviderCall,
  ProviderFault,
  type ProviderStream,
  type ToolCall,
} from '../../src/core/agents/chat/provider.ts';
import type { ChatRequest } from '../../src/core/agents/chat/schema.ts';
import { loadProvider } from '../../src/providers/index.ts';
import type { readEvents } from '../../src/providers/shared/reading.ts';
import type { FakeUpstream } from '../support/upstream/server.ts';

export interface Offer {
  name: string;
  provider: Vendor;
  model: string;
  legacy?: boolean;
}

export const OPENAI: Offer = { name: 'openai', provider: 'openai', model: 'gpt-4.1' };
export const LEGACY: Offer = { name: 'openai, legacy', provider: 'openai', model: 'gpt-4.1', legacy: true };
export const GROQ: Offer = { name: 'groq', provider: 'groq', model: 'llama-3.3-70b-versatile' };
export const XAI: Offer = { name: 'xai', provider: 'xai', model: 'grok-3' };
export const CUSTOM: Offer = { name: 'custom', provider: 'custom', model: 'llama3.2' };
export const GEMINI: Offer = { name: 'gemini', provider: 'gemini', model: 'gemini-2.5-flash' };
export const ANTHROPIC: Offer = { name: 'anthropic', provider: 'anthropic', model: 'claude-sonnet-4-5' };
export const BEDROCK: Offer = { name: 'bedrock', provider: 'bedrock', model: 'anthropic.claude-sonnet-4-5-v1:0' };
export const OFFERS = [OPENAI, LEGACY, GROQ, XAI, CUSTOM, GEMINI, ANTHROPIC, BEDROCK];
export const CHAT_OFFERS = [LEGACY, GROQ, XAI, CUSTOM];

export const API_KEY = 'sk-test-0123456789';

export interface Asked extends Partial<Omit<ChatRequest, 'provider'>> {
  connection?: Partial<Connection>;
  capabilities?: Partial<Capabilities>;
  signal?: AbortSignal;
}

export function callOf({ provider, model, legacy = false }: Offer, baseUrl: string, asked: Asked = {}): ProviderCall {
  const { connection, capabilities, signal = new AbortController().signal, ...members } = asked;
  const request: ChatRequest = {
    ...{ projectId: 'tests', provider, model, messages: [{ role: 'user', content: 'Say hello.' }] },
    ...(legacy ? { legacy } : {}),
    ...members,
  };
  return {
    request,
    connection: {
      ...{ provider, baseUrl, apiKey: API_KEY, headers: {}, region: provider === 'bedrock' ? 'us-east-1' : null },
      ...{ allowPrivateNetwork: true, allowPrivateImages: false },
      ...connection,
    },
    capabilities: capabilitiesOf({ provider, model: request.model, legacy }, capabilities),
    requiredParams: [],
    signal,
  };
}

export async function ask(offer: Offer, upstream: FakeUpstream, asked: Asked = {}): Promise<ProviderStream> {
  return askAt(offer, upstream.baseUrl(offer.provider), asked);
}

export async function askAt(offer: Offer, baseUrl: string, asked: Asked = {}): Promise<ProviderStream> {
  const provider = await loadProvider(offer.provider);
  return provider.stream(callOf(offer, baseUrl, asked));
}

export interface Told {
  text: string;
  reasoning: string;
  calls: ToolCall[];
  warnings: string[];
  usage: ChatUsage | null;
  finish: FinishReason | null;
  fault: ProviderFault | null;
}

export async function readAll(events: AsyncIterable<ChatEvent[]>): Promise<Told> {
  const told = nothingTold();
  try {
    for await (const read of events) for (const event of read) add(event, told);
  } catch (error) {
    assert.ok(error instanceof ProviderFault, String(error));
    told.fault = error;
  }
  return told;
}

export function bodyOf(...parts: (string | Uint8Array)[]): Parameters<typeof readEvents>[0] {
  const left = parts.map((part) => Buffer.from(part));
  const read = async () => (left.length > 0 ? [left.shift()!] : null);
  return { read, drain: () => undefined, destroy: () => undefined };
}

/** Bytes, cut at these positions modulo their length. */
export function cutAt(bytes: Buffer, places: number[]): Buffer[] {
  const at = [0, ...places.map((place) => place % (bytes.length + 1)).sort((one, other) => one - other), bytes.length];
  return at
    .slice(1)
    .map((to, index) => bytes.subarray(at[index], to))
    .filter((part) => part.length > 0);
}

/** Sends a request and reads its answer; a failed request is a fault, too. */
export async function tell(offer: Offer, upstream: FakeUpstream, asked: Asked = {}): Promise<Told> {
  try {
    return await readAll((await ask(offer, upstream, asked)).events);
  } catch (error) {
    assert.ok(error instanceof ProviderFault, String(error));
    return { ...nothingTold(), fault: error };
  }
}

export async function bodySent(offer: Offer, upstream: FakeUpstream, asked: Asked = {}): Promise<unknown> {
  const { fault } = await tell(offer, upstream, asked);
  assert.equal(fault, null);
  return upstream.requests.at(-1)?.body;
}

export function nothingTold(): Told {
  return { text: '', reasoning: '', calls: [], warnings: [], usage: null, finish: null, fault: null };
}

export function add(event: ChatEvent, told: Told): void {
  assert.equal(told.finish, null, 'nothing follows the end');
  if (event.type === 'text') told.text += event.text;
  else if (event.type === 'reasoning') told.reasoning += event.text;
  else if (event.type === 'tool_call') told.calls.push(event.call);
  else if (event.type === 'warning') told.warnings.push(event.message);
  else if (event.type === 'usage') told.usage = event.usage;
  else told.finish = event.reason;
}

export function watchRejections(t: Pick<TestContext, 'after'>): void {
  const seen: unknown[] = [];
  const see = (reason: unknown) => seen.push(reason);
  process.on('unhandledRejection', see);
  t.after(() => {
    process.off('unhandledRejection', see);
    assert.deepEqual(seen, []);
  });
}
