import { invalid, RuntimeError, unprocessable } from '../../base/shared/errors.ts';
import type { Vendor } from '../chat/capabilities.ts';
import type { Connection } from '../chat/provider.ts';
import { isHeaderValue } from './secret-schema.ts';

export type ReadVariable = (name: string) => string | undefined;

/** The vendors' own variables; the first that is set counts. */
export const KEY_VARIABLES = {
  openai: ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  bedrock: ['AWS_BEARER_TOKEN_BEDROCK'],
  groq: ['GROQ_API_KEY'],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  xai: ['XAI_API_KEY'],
} as const satisfies Record<Exclude<Vendor, 'custom'>, readonly string[]>;

/** With any of them the AWS SDK finds credentials; on an AWS machine also without. */
const AWS_VARIABLES = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];
const REGION_VARIABLES = ['AWS_REGION', 'AWS_DEFAULT_REGION'];

export const PROVIDER_VARIABLES: readonly string[] = [
  ...Object.values(KEY_VARIABLES).flat(),
  ...AWS_VARIABLES,
  ...REGION_VARIABLES,
];

export function keyVariablesSet(variable: ReadVariable): { provider: Vendor; name: string }[] {
  return (Object.keys(KEY_VARIABLES) as (keyof typeof KEY_VARIABLES)[]).flatMap((provider) => {
    const name = keyVariablesOf(provider).find((one) => variable(one) !== undefined);
    return name === undefined ? [] : [{ provider, name }];
  });
}

/** In the order in which they count. */
export function keyVariablesOf(provider: Vendor): string[] {
  if (provider === 'custom') return [];
  return [...KEY_VARIABLES[provider], ...(provider === 'bedrock' ? AWS_VARIABLES : [])];
}

export function awsRegion(variable: ReadVariable): string | null {
  return REGION_VARIABLES.map(variable).find((region) => region !== undefined) ?? null;
}

/** Throws `unprocessable` without a key, `invalid` for custom, `unavailable` for a bad key. */
export function connectionOfEnvironment(provider: Vendor, variable: ReadVariable): Connection {
  if (provider === 'custom') {
    throw invalid('providerName: is required with custom; name a provider that `providers apply` installed');
  }
  const names: readonly string[] = KEY_VARIABLES[provider];
  const name = names.find((one) => variable(one) !== undefined);
  if (name === undefined && provider !== 'bedrock') {
    throw unprocessable(
      `provider: no key for ${provider} is configured. Set ${names.join(' or ')}, or name a provider that \`providers apply\` installed.`,
    );
  }
  const fault = name === undefined ? null : faultOfVariable(name, variable);
  if (fault !== null) throw new RuntimeError('unavailable', `provider: ${fault}.`);
  return {
    provider,
    baseUrl: null,
    apiKey: (name === undefined ? undefined : variable(name)) ?? null,
    headers: {},
    region: provider === 'bedrock' ? awsRegion(variable) : null,
    allowPrivateNetwork: false,
    allowPrivateImages: false,
  };
}

/** Null if it can be used as a secret. Never contains the value. */
export function faultOfVariable(name: string, variable: ReadVariable): string | null {
  const secret = variable(name);
  if (secret === undefined) return `the environment variable ${name} is not set`;
  return isHeaderValue(secret) ? null : `the environment variable ${name} holds characters that no header takes`;
}
