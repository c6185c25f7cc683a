import { pricedProvider, tablePrice } from '../chat/recording/price.ts';
import { countsOf } from './usage.ts';

/** `sent`: the sender's own; `priced`: by the public prices of the model. */
export type CostBasis = 'sent' | 'priced';

export interface Cost {
  /** US dollars; null: unknown. */
  cost: number | null;
  costBasis: CostBasis | null;
}

interface Used {
  cost: number | null | undefined;
  provider: string | null;
  model: string | null;
  usage: Record<string, unknown> | null;
  /** Epoch milliseconds: prices change. */
  at: number;
}

/** The sender's cost is believed. Without it the usage has the public price of the model. */
export async function costOf({ cost, provider, model, usage, at }: Used): Promise<Cost> {
  if (cost !== null && cost !== undefined) return { cost, costBasis: 'sent' };
  const priced = model === null || usage === null ? null : await priceOf(provider, model, usage, at);
  return { cost: priced, costBasis: priced === null ? null : 'priced' };
}

async function priceOf(provider: string | null, model: string, usage: Record<string, unknown>, at: number) {
  const providerId = provider === null ? undefined : pricedProvider(provider);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = countsOf(usage);
  if (providerId === null || (inputTokens === null && outputTokens === null)) return null;
  return tablePrice({
    place: providerId === undefined ? {} : { providerId },
    ...{ model, at, input_tokens: inputTokens ?? 0, output_tokens: outputTokens ?? 0 },
    ...{ cache_read_tokens: cacheReadTokens ?? undefined, cache_write_tokens: cacheWriteTokens ?? undefined },
  });
}
