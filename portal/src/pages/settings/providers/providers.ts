import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

export const PROVIDERS = '/api/v1/portal/providers';

export type Provider = Schemas['ModelProvider'];
export type VendorState = Schemas['ModelProviders']['vendors'][number];
export type Vendor = VendorState['provider'];

export type ProviderChange =
  | { kind: 'add'; vendor: Vendor }
  | { kind: 'edit'; name: string }
  | { kind: 'test'; name: string | null; vendor: Vendor; testModel: string | null }
  | { kind: 'models'; name: string | null; vendor: Vendor }
  | { kind: 'delete'; name: string };

export const VENDOR_LABELS: Record<Vendor, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  bedrock: 'Amazon Bedrock',
  groq: 'Groq',
  gemini: 'Google Gemini',
  xai: 'xAI',
  custom: t('OpenAI-compatible server'),
};

/** Why somebody who does not operate the installation cannot change it; undefined if they can. */
export function operatorsReason({ definition }: Provider, operates: boolean): string | undefined {
  if (operates) return undefined;
  const { provider, apiKey, headers = {}, allowPrivateNetwork, allowPrivateImages } = definition;
  const readsEnvironment = [apiKey, ...Object.values(headers)].some((secret) => typeof secret === 'object');
  const usesAws = provider === 'bedrock' && apiKey === undefined;
  if (!readsEnvironment && !usesAws && !allowPrivateNetwork && !allowPrivateImages) return undefined;
  return t("It uses the server's environment or network: only the operator changes it, with `providers apply`.");
}
