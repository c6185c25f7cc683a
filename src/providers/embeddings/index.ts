import { LRUCache } from 'lru-cache';
import type { Vendor } from '../../core/agents/chat/capabilities.ts';
import type { Connection } from '../../core/agents/chat/provider.ts';
import { invalid, unprocessable } from '../../core/base/shared/errors.ts';
import type { Embedded, Embedder } from '../../core/knowledge/embedder.ts';
import { familyOf } from './bedrock-families.ts';
import { type EmbedderOptions, ProviderEmbedder } from './embedder.ts';
import type { EmbeddingModel, ModelSettings } from './model.ts';
import { keyRemedy } from './operator-errors.ts';

const VENDOR_OF_PREFIX = { openai: 'openai', gemini: 'gemini', bedrock: 'bedrock', compatible: 'custom' } as const;
type Prefix = keyof typeof VENDOR_OF_PREFIX;

const LOADERS: Record<Prefix, (settings: ModelSettings) => Promise<EmbeddingModel>> = {
  openai: async (settings) => (await import('./openai.ts')).openaiModel(settings),
  gemini: async (settings) => (await import('./gemini.ts')).geminiModel(settings),
  bedrock: async (settings) => (await import('./bedrock.ts')).bedrockModel(settings),
  compatible: async (settings) => (await import('./openai.ts')).openaiModel(settings),
};

export interface EmbedderSettings {
  /** Provider and model, such as `openai/text-embedding-3-small`. */
  name: string;
  /** Null for the model's default. */
  dimensions: number | null;
}

/** Throws `invalid` for an unknown name or no address, `unprocessable` for a missing key. */
export function embedderOf(
  { name, dimensions }: EmbedderSettings,
  connectionFor: (provider: Vendor) => Connection,
  options: EmbedderOptions = {},
): Embedder {
  const { prefix, model } = partsOf(name);
  if (prefix === 'bedrock') familyOf(model);
  const connection = connectionFor(VENDOR_OF_PREFIX[prefix]);
  checkReachable(prefix, connection);
  const settings: ModelSettings = { model, dimensions, connection };
  return cachingQueries(new ProviderEmbedder(name, settings, () => LOADERS[prefix](settings), options));
}

function partsOf(name: string): { prefix: Prefix; model: string } {
  const [, prefix = '', model = ''] = /^([^/]*)\/(.+)$/.exec(name) ?? [];
  if (Object.hasOwn(VENDOR_OF_PREFIX, prefix)) return { prefix: prefix as Prefix, model };
  const known = Object.keys(VENDOR_OF_PREFIX).join(', ');
  throw invalid(
    `embedder: ${JSON.stringify(name)} must be a provider and its model, openai/text-embedding-3-small for example; providers are ${known}`,
  );
}

function checkReachable(prefix: Prefix, { provider, baseUrl, apiKey }: Connection): void {
  if (prefix === 'compatible' && baseUrl === null) {
    throw invalid('embedder: compatible needs the address of its server, http://localhost:11434/v1 for example');
  }
  // Bedrock may use AWS's own chain; another server may need no key.
  if (prefix === 'bedrock' || baseUrl !== null || apiKey !== null) return;
  throw unprocessable(`embedder: there is no key for ${prefix}. ${keyRemedy({ provider })}.`);
}

/** Characters; longer queries hardly repeat. */
const MAX_LENGTH = 1_000;

export function cachingQueries(embedder: Embedder, size = 500): Embedder {
  const cache = new LRUCache<string, Embedded>({ max: size });
  const { name, dimensions, semantic } = embedder;
  return {
    name,
    dimensions,
    semantic,
    embed: async (texts, use, signal) => {
      const [text] = texts;
      if (use !== 'query' || text === undefined || texts.length > 1 || text.length > MAX_LENGTH) {
        return embedder.embed(texts, use, signal);
      }
      signal.throwIfAborted();
      const embedded = cache.get(text) ?? (await embedder.embed(texts, use, signal));
      cache.set(text, embedded);
      // A copy: the caller may transfer the vectors to a thread.
      return { ...embedded, vectors: embedded.vectors.slice() };
    },
  };
}
