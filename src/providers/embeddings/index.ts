import type { Connection } from '../../core/chat/provider.ts';
import type { ProviderName } from '../../core/chat/vendors.ts';
import type { Embedder } from '../../core/knowledge/embedder.ts';
import { invalid, RuntimeError } from '../../core/shared/errors.ts';
import { familyOf } from './bedrock-families.ts';
import { type EmbedderOptions, ProviderEmbedder } from './embedder.ts';
import type { EmbeddingModel, ModelSettings } from './model.ts';
import { keyRemedy } from './operator-errors.ts';
import { cachingQueries } from './query-cache.ts';

/** Whose models make vectors, by the word before the slash of an embedder's name. */
const PROVIDERS = { openai: 'openai', gemini: 'gemini', bedrock: 'bedrock', compatible: 'custom' } as const;
type Prefix = keyof typeof PROVIDERS;

/** Loaded when first asked for: each SDK takes a tenth of a second and some megabytes. */
const LOADERS: Record<Prefix, (settings: ModelSettings) => Promise<EmbeddingModel>> = {
  openai: async (settings) => (await import('./openai.ts')).openaiModel(settings),
  gemini: async (settings) => (await import('./gemini.ts')).geminiModel(settings),
  bedrock: async (settings) => (await import('./bedrock.ts')).bedrockModel(settings),
  compatible: async (settings) => (await import('./openai.ts')).openaiModel(settings),
};

export interface EmbedderSettings {
  /** `openai/text-embedding-3-small`: whose model, and its name. */
  name: string;
  /** Null: as many as the model makes. */
  dimensions: number | null;
}

/**
 * The embedder of a name. `connectionFor` says where its provider is reached, and throws where it is not configured; it is
 * asked for `custom` where the name begins with `compatible`. Throws `invalid` for a name that is none, or that lacks its
 * address, and `unprocessable` where there is no key.
 */
export function embedderOf(
  { name, dimensions }: EmbedderSettings,
  connectionFor: (provider: ProviderName) => Connection,
  options: EmbedderOptions = {},
): Embedder {
  const { prefix, model } = partsOf(name);
  if (prefix === 'bedrock') familyOf(model);
  const connection = connectionFor(PROVIDERS[prefix]);
  checkReachable(prefix, connection);
  const settings: ModelSettings = { model, dimensions, connection };
  return cachingQueries(new ProviderEmbedder(name, settings, () => LOADERS[prefix](settings), options));
}

function partsOf(name: string): { prefix: Prefix; model: string } {
  const [, prefix = '', model = ''] = /^([^/]*)\/(.+)$/.exec(name) ?? [];
  if (Object.hasOwn(PROVIDERS, prefix)) return { prefix: prefix as Prefix, model };
  const known = Object.keys(PROVIDERS).join(', ');
  throw invalid(
    `embedder: ${JSON.stringify(name)} must be a provider and its model, openai/text-embedding-3-small for example; providers are ${known}`,
  );
}

function checkReachable(prefix: Prefix, { provider, baseUrl, apiKey }: Connection): void {
  if (prefix === 'compatible' && baseUrl === null) {
    throw invalid('embedder: compatible needs the address of its server, http://localhost:11434/v1 for example');
  }
  // Bedrock's may come from AWS's own chain; a server elsewhere may need none.
  if (prefix === 'bedrock' || baseUrl !== null || apiKey !== null) return;
  throw new RuntimeError('unprocessable', `embedder: there is no key for ${prefix}. ${keyRemedy({ provider })}.`);
}
