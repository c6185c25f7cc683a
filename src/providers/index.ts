import type { Vendor } from '../core/agents/chat/capabilities.ts';
import type { ChatProvider } from '../core/agents/chat/provider.ts';

/** Loaded on first use: each SDK takes 100 ms and some megabytes. */
const LOADERS: Record<Vendor, () => Promise<ChatProvider>> = {
  openai: async () => (await import('./openai/provider.ts')).openaiProvider,
  anthropic: async () => (await import('./anthropic/provider.ts')).anthropicProvider,
  bedrock: async () => (await import('./bedrock/provider.ts')).bedrockProvider,
  groq: async () => (await import('./chat-completions/provider.ts')).groqProvider,
  gemini: async () => (await import('./gemini/provider.ts')).geminiProvider,
  xai: async () => (await import('./chat-completions/provider.ts')).xaiProvider,
  custom: async () => (await import('./chat-completions/provider.ts')).customProvider,
};

const loaded = new Map<Vendor, Promise<ChatProvider>>();

export function loadProvider(name: Vendor): Promise<ChatProvider> {
  const known = loaded.get(name) ?? LOADERS[name]();
  loaded.set(name, known);
  known.catch(() => loaded.delete(name));
  return known;
}
