import { type Page, pageOf } from '../../base/shared/paging.ts';
import { containsText } from '../../base/shared/text-search.ts';
import type { Vendor } from '../chat/capabilities.ts';
import { placeInPriceTable, priceTable } from '../chat/recording/price.ts';
import type { Price } from '../chat/recording/record.ts';
import type { KnownModel, ModelsQuery } from './shown.ts';

/** Cheap models that answer briefly. Custom servers have none that all know. */
export const TEST_MODELS: Record<Vendor, string | null> = {
  openai: 'gpt-4.1-nano',
  anthropic: 'claude-haiku-4-5',
  bedrock: 'amazon.nova-micro-v1:0',
  groq: 'llama-3.1-8b-instant',
  gemini: 'gemini-2.5-flash-lite',
  xai: 'grok-4-fast-non-reasoning',
  custom: null,
};

/** Entries of the table that no chat can name: other uses, and prefixes of ids. */
const NO_CHAT =
  /embed|whisper|tts|transcribe|moderation|image|realtime|audio|sonic|voice|voxtral|-live-|-guard|^(ada|babbage|curie|davinci|text-davinci-.*)$|^ft:|\.ft-|^computer-use$|^regional\.|:extended$/;
/** Google's table has models of others, which the Gemini API does not serve. */
const ONLY: Partial<Record<Vendor, RegExp>> = { gemini: /^(gemini|gemma)/ };

interface ModelPlace {
  provider: Vendor;
  baseUrl: string | null;
  /** Overrides the table's, for all models. */
  price: Price | null;
}

/** Chat models of the public price table at an address, by id. */
export async function knownModels(
  place: ModelPlace,
  { search = '', ...page }: ModelsQuery,
  at: number,
): Promise<Page<KnownModel>> {
  const where = placeInPriceTable(place);
  if (where === null) return { items: [], total: 0 };
  const { calcPrice, findProvider } = await priceTable();
  const only = ONLY[place.provider];
  const known = (findProvider(where)?.models ?? []).filter(
    ({ id, name = '', deprecated }) =>
      !deprecated && !NO_CHAT.test(id) && (only?.test(id) ?? true) && containsText(`${id} ${name}`, search),
  );
  const { items, total } = pageOf(known, page);
  const priced = (id: string): Price | null => {
    if (place.price) return place.price;
    const prices = calcPrice({ input_tokens: 1, output_tokens: 1 }, id, { ...where, timestamp: new Date(at) });
    const { input_mtok: input, output_mtok: output } = prices?.model_price ?? {};
    const [inputPerMillion, outputPerMillion] = [dollarsOf(input), dollarsOf(output)];
    return inputPerMillion === null || outputPerMillion === null ? null : { inputPerMillion, outputPerMillion };
  };
  const models = items.map(({ id, name, context_window }) => ({
    id,
    name: name ?? null,
    contextTokens: context_window ?? null,
    ...(priced(id) ?? { inputPerMillion: null, outputPerMillion: null }),
  }));
  return { items: models, total };
}

/** Where prices depend on the size, the smallest size counts. */
function dollarsOf(price: number | { base: number } | undefined): number | null {
  if (price === undefined) return null;
  return typeof price === 'number' ? price : price.base;
}
