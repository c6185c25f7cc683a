import type { ChatProvider, ProviderName } from '../core/chat/provider.ts';

/** Loaded when first asked for: each SDK takes a tenth of a second and some megabytes. */
const LOADERS: Record<ProviderName, () => Promise<ChatProvider>> = {
  openai: async () => (await import('./openai.ts')).openaiProvider,
  anthropic: async () => (await import('./anthropic.ts')).anthropicProvider,
  bedrock: async () => (await import('./bedrock.ts')).bedrockProvider,
  groq: async () => (await import('./groq.ts')).groqProvider,
  gemini: async () => (await import('./gemini.ts')).geminiProvider,
  xai: async () => (await import('./xai.ts')).xaiProvider,
  custom: async () => (await import('./custom.ts')).customProvider,
};

const loaded = new Map<ProviderName, Promise<ChatProvider>>();

/** Who speaks a vendor's API. */
export function loadProvider(name: ProviderName): Promise<ChatProvider> {
  const known = loaded.get(name) ?? LOADERS[name]();
  loaded.set(name, known);
  return known;
}
