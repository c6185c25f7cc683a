import type { Vendor } from '../../../../../src/core/agents/chat/capabilities.ts';
import type { ChatRequest } from '../../../../../src/core/agents/chat/schema.ts';

/** Providers of the table, with OpenAI's two APIs apart. Each is installed under its name here. */
export const TESTED = ['openai', 'openai-legacy', 'anthropic', 'bedrock', 'groq', 'gemini', 'xai', 'custom'] as const;
export type Tested = (typeof TESTED)[number];

/** Models that support every setting, so that there are no warnings. */
const MODELS: Record<Tested, string> = {
  openai: 'gpt-4.1-mini',
  'openai-legacy': 'gpt-4.1-mini',
  anthropic: 'claude-haiku-4-5',
  bedrock: 'amazon.nova-lite-v1:0',
  groq: 'llama-3.3-70b-versatile',
  gemini: 'gemini-2.5-flash',
  xai: 'grok-3',
  custom: 'local-model',
};

/** Whose API a provider of the table speaks. */
export function vendorOf(provider: Tested): Vendor {
  return provider === 'openai-legacy' ? 'openai' : provider;
}

/** The smallest valid request for a provider of the table. */
export function bodyFor(provider: Tested): ChatRequest {
  return {
    projectId: 'faults',
    provider: vendorOf(provider),
    providerName: provider,
    model: MODELS[provider],
    messages: [{ role: 'user', content: 'Say hello.' }],
    ...(provider === 'openai-legacy' ? { legacy: true } : {}),
  };
}
