import type { ProviderName } from './provider.ts';
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

type Priced = Pick<EndedChat, 'provider' | 'model' | 'baseUrl' | 'usage' | 'startedAt'>;

/** US dollars by the vendors' public prices, from a table that comes with the program. Null when that is not known. */
export async function priceOf(chat: Priced): Promise<number | null> {
  const { provider, model, baseUrl, usage, startedAt } = chat;
  const key = `${provider} ${baseUrl ?? ''} ${model}`;
  if (usage === null || unknown.has(key)) return null;
  table ??= import('@pydantic/genai-prices');
  const { calcPrice } = await table;
  const at = whereOf(chat);
  try {
    const price = at && calcPrice(tokensOf(usage), model, { ...at, timestamp: new Date(startedAt) });
    // A sum of thousandths of cents, without what floating point adds to it.
    if (price) return Number(price.total_price.toPrecision(12));
  } catch {
    // Counts that contradict each other: more read from a cache than there was to read, for example.
    return null;
  }
  if (unknown.size >= MAX_UNKNOWN) unknown.clear();
  unknown.add(key);
  return null;
}

/** A vendor's model elsewhere (a proxy, a gateway) costs what whoever runs it asks for. */
function whereOf({ provider, baseUrl }: Priced): { providerApiUrl: string } | { providerId: string } | null {
  if (baseUrl !== null) return { providerApiUrl: baseUrl };
  const providerId = VENDORS[provider];
  return providerId === null ? null : { providerId };
}

function tokensOf(usage: NonNullable<Priced['usage']>): Record<string, number | undefined> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  };
}
