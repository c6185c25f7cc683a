import type { Usage } from '../provider.ts';
import type { ProviderName } from '../vendors.ts';
import type { EndedChat } from './record.ts';

/** As the table of prices calls them. Custom servers are known by their address, if at all. */
const VENDORS: Record<ProviderName, string | null> = {
  openai: 'openai',
  anthropic: 'anthropic',
  bedrock: 'aws',
  groq: 'groq',
  gemini: 'google',
  xai: 'x-ai',
  custom: null,
};

type Table = typeof import('@pydantic/genai-prices');

/** Loaded with the first chat: the table takes some megabytes. */
let table: Promise<Table> | undefined;
/** What the table does not know: looking for that takes longest. */
const unknown = new Set<string>();
const MAX_UNKNOWN = 1_000;

type Priced = Pick<EndedChat, 'provider' | 'model' | 'baseUrl' | 'price' | 'usage' | 'startedAt'>;

/**
 * US dollars by the price of the definition, or else by the vendors' public prices, from a table that comes with the
 * program. Null when that is not known.
 */
export async function priceOf(chat: Priced): Promise<number | null> {
  const { price, usage } = chat;
  if (usage === null) return null;
  if (price === null) return priceByTable(chat, usage);
  const millionths = usage.inputTokens * price.inputPerMillion + usage.outputTokens * price.outputPerMillion;
  return dollars(millionths / 1_000_000);
}

async function priceByTable(chat: Priced, usage: Usage): Promise<number | null> {
  const { provider, model, baseUrl, startedAt } = chat;
  const key = `${provider} ${baseUrl ?? ''} ${model}`;
  if (unknown.has(key)) return null;
  table ??= import('@pydantic/genai-prices');
  const { calcPrice } = await table;
  const at = whereOf(chat);
  try {
    const price = at && calcPrice(tokensOf(usage), model, { ...at, timestamp: new Date(startedAt) });
    if (price) return dollars(price.total_price);
  } catch {
    // Counts that contradict each other: more read from a cache than there was to read, for example.
    return null;
  }
  if (unknown.size >= MAX_UNKNOWN) unknown.clear();
  unknown.add(key);
  return null;
}

/** A sum of thousandths of cents, without what floating point adds to it. */
function dollars(sum: number): number {
  return Number(sum.toPrecision(12));
}

/** A vendor's model elsewhere (a proxy, a gateway) costs what whoever runs it asks for. */
function whereOf({ provider, baseUrl }: Priced): { providerApiUrl: string } | { providerId: string } | null {
  if (baseUrl !== null) return { providerApiUrl: baseUrl };
  const providerId = VENDORS[provider];
  return providerId === null ? null : { providerId };
}

function tokensOf(usage: Usage): Record<string, number | undefined> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  };
}
