import type { Vendor } from '../capabilities.ts';
import type { ChatUsage } from '../provider.ts';
import type { EndedChat } from './record.ts';

const PRICE_TABLE_IDS: Record<Vendor, string | null> = {
  openai: 'openai',
  anthropic: 'anthropic',
  bedrock: 'aws',
  groq: 'groq',
  gemini: 'google',
  xai: 'x-ai',
  custom: null,
};

type Table = typeof import('@pydantic/genai-prices');

/** Module state. Loaded with the first chat: the table takes some megabytes. */
let table: Promise<Table> | undefined;
/** Cache of models that the table does not have: their search takes longest. */
const unknown = new Set<string>();
const MAX_UNKNOWN = 1_000;

export function priceTable(): Promise<Table> {
  table ??= import('@pydantic/genai-prices');
  return table;
}

type Priced = Pick<EndedChat, 'provider' | 'model' | 'baseUrl' | 'price' | 'usage' | 'startedAt'>;

/** US dollars, by the definition's price or the public table. Null: unknown. */
export async function priceOf(chat: Priced): Promise<number | null> {
  const { price, usage } = chat;
  if (usage === null) return null;
  if (price === null) return priceByTable(chat, usage);
  const millionths = usage.inputTokens * price.inputPerMillion + usage.outputTokens * price.outputPerMillion;
  return dollars(millionths / 1_000_000);
}

async function priceByTable(chat: Priced, usage: ChatUsage): Promise<number | null> {
  const { provider, model, baseUrl, startedAt } = chat;
  const key = `${provider} ${baseUrl ?? ''} ${model}`;
  if (unknown.has(key)) return null;
  const { calcPrice } = await priceTable();
  const at = placeInPriceTable(chat);
  try {
    const price = at && calcPrice(tokensOf(usage), model, { ...at, timestamp: new Date(startedAt) });
    if (price) return dollars(price.total_price);
  } catch {
    // Contradictory counts, such as more cached input than input.
    return null;
  }
  if (unknown.size >= MAX_UNKNOWN) unknown.clear();
  unknown.add(key);
  return null;
}

function dollars(sum: number): number {
  return Number(sum.toPrecision(12));
}

/** By address: a gateway sets its own prices. */
export function placeInPriceTable({
  provider,
  baseUrl,
}: Pick<Priced, 'provider' | 'baseUrl'>): { providerApiUrl: string } | { providerId: string } | null {
  if (baseUrl !== null) return { providerApiUrl: baseUrl };
  const providerId = PRICE_TABLE_IDS[provider];
  return providerId === null ? null : { providerId };
}

function tokensOf(usage: ChatUsage): Record<string, number | undefined> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  };
}
