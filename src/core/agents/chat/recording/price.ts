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

function priceByTable({ provider, model, baseUrl, startedAt }: Priced, usage: ChatUsage): Promise<number | null> {
  const place = placeInPriceTable({ provider, baseUrl });
  return place === null ? Promise.resolve(null) : tablePrice({ place, model, at: startedAt, ...tokensOf(usage) });
}

interface TableQuestion {
  /** Empty: by the name of the model alone. */
  place: { providerApiUrl?: string; providerId?: string };
  model: string;
  /** Epoch milliseconds. */
  at: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens?: number | undefined;
  cache_write_tokens?: number | undefined;
}

/** US dollars by the public table. Null: unknown. */
export async function tablePrice({ place, model, at, ...usage }: TableQuestion): Promise<number | null> {
  const key = `${place.providerId ?? ''} ${place.providerApiUrl ?? ''} ${model}`;
  if (unknown.has(key)) return null;
  const { calcPrice } = await priceTable();
  try {
    const price = calcPrice(usage, model, { ...place, timestamp: new Date(at) });
    if (price) return dollars(price.total_price);
  } catch {
    // Contradictory counts, such as more cached input than input.
    return null;
  }
  if (unknown.size >= MAX_UNKNOWN) unknown.clear();
  unknown.add(key);
  return null;
}

/** The provider's name in the price table; null for a provider without public prices. */
export function pricedProvider(provider: string): string | null {
  return Object.hasOwn(PRICE_TABLE_IDS, provider) ? PRICE_TABLE_IDS[provider as Vendor] : provider;
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

function tokensOf(usage: ChatUsage) {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheWriteTokens,
  };
}
