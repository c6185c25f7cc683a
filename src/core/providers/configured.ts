import type { Capabilities } from '../chat/capabilities.ts';
import type { Connection } from '../chat/provider.ts';
import type { Price } from '../chat/recording/record.ts';
import type { ProviderName } from '../chat/vendors.ts';
import { RuntimeError } from '../shared/errors.ts';
import { awsRegion, connectionOfEnvironment, type ReadVariable } from './environment.ts';
import type { ChatDefaults, Fallback } from './schema.ts';
import { resolveSecrets, type SecretOwner } from './secrets.ts';
import type { StoredProvider } from './store.ts';

/** A provider as a chat uses it, with its secrets: never to be shown, logged or recorded. */
export interface ConfiguredProvider {
  /** Null: that of the environment. */
  name: string | null;
  connection: Connection;
  /** What a request that leaves them out is given. */
  defaults: ChatDefaults;
  /** What is known better than the runtime's own table. */
  capabilities: Partial<Capabilities>;
  /** What it asks for; null: what the table of public prices says, if anything. */
  price: Price | null;
  /** Whether what cannot be honoured is refused rather than dropped. */
  strict: boolean;
  /** To the first content, before a fallback is tried; null: no time of its own. */
  timeoutMs: number | null;
  /** In the order in which they are tried. */
  fallbacks: Fallback[];
}

/** A stored provider, ready to be used. Throws `unavailable` when one of its secrets cannot be had. */
export function configuredProvider(
  stored: StoredProvider,
  owner: SecretOwner,
  variable: ReadVariable,
): ConfiguredProvider {
  const { definition, faults } = resolveSecrets(stored.definition, owner, variable);
  const { provider, baseUrl, apiKey, headers, timeout, allowPrivateNetwork, allowPrivateImages } = definition;
  const { defaults, capabilities, strict, fallbacks } = definition;
  const { name } = owner;
  const [fault] = faults;
  if (fault) {
    const message = `Provider ${JSON.stringify(name)} cannot be used: ${fault.field}: ${fault.problem}.`;
    throw new RuntimeError('unavailable', message);
  }
  return {
    name,
    connection: {
      provider,
      baseUrl: baseUrl ?? null,
      apiKey: apiKey ?? null,
      headers: headers ?? {},
      region: provider === 'bedrock' ? (definition.region ?? awsRegion(variable)) : null,
      allowPrivateNetwork,
      allowPrivateImages,
    },
    ...{ defaults, capabilities, strict, fallbacks },
    price: definition.price ?? null,
    timeoutMs: timeout === undefined ? null : Math.round(timeout * 1_000),
  };
}

/** The vendor itself, with the key of the environment. Throws `unprocessable` when there is none. */
export function providerOfEnvironment(provider: ProviderName, variable: ReadVariable): ConfiguredProvider {
  return {
    name: null,
    connection: connectionOfEnvironment(provider, variable),
    ...{ defaults: {}, capabilities: {}, price: null, strict: false, timeoutMs: null, fallbacks: [] },
  };
}
